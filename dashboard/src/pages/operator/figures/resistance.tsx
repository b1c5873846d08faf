import { getResistance } from '../../../api/installation.ts'
import { useResource } from '../../../api/resource.ts'
import type { Resistance as ResistanceRead } from '../../../api/types.ts'
import { money, number, share } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'
import { to } from '../../../paths.ts'
import { Section } from '../../../ui/page.tsx'
import { Loaded } from '../../../ui/states.tsx'
import { Table } from '../../../ui/table.tsx'

const FRESH_MS = 10 * 60_000

/** What platforms that lie would do here, and what other attacks cost. */
export function Resistance() {
  const { figures: texts } = t.value
  const read = useResource('resistance', getResistance, { freshMs: FRESH_MS })
  return (
    <Section title={texts.resistance} lead={texts.resistanceLead}>
      <Loaded of={read} rows={6}>
        {(found) => (
          <>
            <Platforms found={found} />
            <Lies found={found} />
            <h3>{texts.prices}</h3>
            <p class="quiet">
              {texts.pricesLead} <a href={to.attacks()}>{texts.allPrices}</a>
            </p>
            <Prices found={found} />
          </>
        )}
      </Loaded>
    </Section>
  )
}

function Platforms({ found }: { found: ResistanceRead }) {
  const { figures: texts } = t.value
  const { active, verified, established } = found.platforms
  return (
    <>
      {established < 2 && <p class="banner">{texts.fewEstablished}</p>}
      <p>{texts.platforms(number(active), active, number(established), number(verified))}</p>
      {found.counterpartiesNamed !== null && (
        <p>{texts.counterparties(share(found.counterpartiesNamed))}</p>
      )}
    </>
  )
}

function Lies({ found }: { found: ResistanceRead }) {
  const { figures: texts } = t.value
  return (
    <>
      <Table columns={[texts.liars, { number: texts.ruined }, { number: texts.raised }]}>
        {found.data.map(({ platforms, ruined, trusted, raised, untrusted }) => (
          <tr key={platforms}>
            <th scope="row">{texts.liarsCount(number(platforms), platforms)}</th>
            <td class="number">{texts.of(number(ruined), number(trusted))}</td>
            <td class="number">{texts.of(number(raised), number(untrusted))}</td>
          </tr>
        ))}
      </Table>
      <p class="quiet">{texts.sample(number(found.agents), number(found.agentsInAll))}</p>
    </>
  )
}

const GOALS = ['good', 'excellent', 'ruin'] as const

/** A row for each way to attack, a column for each goal. */
function Prices({ found: { prices } }: { found: ResistanceRead }) {
  const { figures: texts } = t.value
  const attackers = [...new Set(prices.map(({ attacker }) => attacker))]
  const costOf = (attacker: string, goal: string) =>
    prices.find((price) => price.attacker === attacker && price.goal === goal)?.cost
  return (
    <Table columns={[texts.attacker, ...GOALS.map((goal) => texts.goals[goal])]}>
      {attackers.map((attacker) => (
        <tr key={attacker}>
          <th scope="row">{texts.attackers[attacker]}</th>
          {GOALS.map((goal) => {
            const cost = costOf(attacker, goal)
            return (
              <td key={goal}>
                {cost ? <Cost cost={cost} /> : <span class="quiet">{texts.notFound}</span>}
              </td>
            )
          })}
        </tr>
      ))}
    </Table>
  )
}

/** What it takes: accounts and money where it does, and reports in any case. */
function Cost({ cost }: { cost: NonNullable<ResistanceRead['prices'][number]['cost']> }) {
  const { figures: texts } = t.value
  const { accounts, fees, reports, days } = cost
  return (
    <>
      {[
        accounts > 0 && texts.costAccounts(number(accounts), accounts),
        fees > 0 && texts.cost(money(fees, 'USD')),
        texts.costReports(number(reports), number(days), days),
      ]
        .filter(Boolean)
        .join(', ')}
    </>
  )
}
