import type { Backtest, Verdict } from '../../../api/types.ts'
import { money, number } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'
import { Empty } from '../../../ui/states.tsx'
import { Table } from '../../../ui/table.tsx'
import { Twin } from '../../../ui/twin.tsx'
import { TradeOffChart } from './trade-off-chart.tsx'

/** What the policy would have decided, and what other minimum scores would have cost. */
export function BacktestReport({ report }: { report: Backtest }) {
  const { policies: texts } = t.value
  if (report.deals === 0) {
    return <Empty title={texts.noDeals} />
  }
  return (
    <section class="backtest">
      <h3>{texts.result(number(report.deals), report.deals)}</h3>
      <p>
        {texts.expected(
          // Without a deal the mean is 0, which would look as if no loss were expected.
          report.allow.deals === 0 ? '–' : money(report.expectedLoss, 'USD'),
          money(report.expectedLossWithout, 'USD'),
        )}
      </p>
      <Table columns={[texts.verdict, ...FIGURES.map((one) => ({ number: texts[one] }))]}>
        {(['allow', 'review', 'deny'] as const).map((verdict) => (
          <VerdictRow key={verdict} verdict={verdict} report={report} />
        ))}
      </Table>
      <h3>{texts.tradeOff}</h3>
      <TradeOff report={report} />
    </section>
  )
}

const FIGURES = ['deals', 'good', 'bad', 'amount', 'loss'] as const

function VerdictRow({ verdict, report }: { verdict: Verdict; report: Backtest }) {
  const { deals, good, bad, amount, loss } = report[verdict]
  return (
    <tr>
      <th scope="row">{t.value.policies.verdicts[verdict]}</th>
      <td class="number">{number(deals)}</td>
      <td class="number">{number(good)}</td>
      <td class="number">{number(bad)}</td>
      <td class="number">{money(amount, 'USD')}</td>
      <td class="number">{money(loss, 'USD')}</td>
    </tr>
  )
}

/** What other minimum scores would have cost; the table has the figures of the picture. */
function TradeOff({ report }: { report: Backtest }) {
  const { policies: texts } = t.value
  const { tradeOff, policy } = report
  return (
    <>
      <TradeOffChart report={report} />
      <Twin>
        {() => (
          <Table
            columns={[
              { number: texts.minScore },
              { number: texts.allowed },
              { number: texts.loss },
              { number: texts.goodNotAllowed },
            ]}
          >
            {tradeOff.map(({ minScore, allowed, loss, goodNotAllowed }) => (
              <tr key={minScore} aria-current={minScore === policy.minScore ? 'true' : undefined}>
                <th scope="row" class="number">
                  {number(minScore)}
                </th>
                <td class="number">{number(allowed)}</td>
                <td class="number">{money(loss, 'USD')}</td>
                <td class="number">{number(goodNotAllowed)}</td>
              </tr>
            ))}
          </Table>
        )}
      </Twin>
    </>
  )
}
