import { getCalibration } from '../../../api/installation.ts'
import { useResource } from '../../../api/resource.ts'
import type { Calibration as CalibrationRead } from '../../../api/types.ts'
import { date, number, share } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'
import { Section } from '../../../ui/page.tsx'
import { TierName } from '../../../ui/score.tsx'
import { Empty, Loaded } from '../../../ui/states.tsx'
import { Table } from '../../../ui/table.tsx'

const FRESH_MS = 10 * 60_000

/** What the scores said a month ago, and what happened since. */
export function Calibration() {
  const { figures: texts } = t.value
  const read = useResource('calibration', getCalibration, { freshMs: FRESH_MS })
  return (
    <Section title={texts.calibration} lead={texts.calibrationLead}>
      <Loaded of={read} rows={5}>
        {(found) =>
          found.data.length === 0 ? (
            <Empty title={texts.noOutcomes} />
          ) : (
            <>
              <Table
                columns={[
                  texts.tierThen,
                  { number: texts.agents },
                  { number: texts.outcomes },
                  texts.expectedAndCame,
                  { number: texts.expected },
                  { number: texts.came },
                ]}
              >
                {found.data.map((row) => (
                  <TierRow key={row.tier} row={row} />
                ))}
              </Table>
              <p class="quiet">
                {texts.sample(number(found.agents), number(found.agentsInAll))}{' '}
                {texts.since(date(found.since))}
              </p>
            </>
          )
        }
      </Loaded>
    </Section>
  )
}

function TierRow({
  row: { tier, agents, outcomes, good, expected },
}: {
  row: CalibrationRead['data'][number]
}) {
  return (
    <tr>
      <th scope="row">
        <TierName tier={tier} />
      </th>
      <td class="number">{number(agents)}</td>
      <td class="number">{number(outcomes)}</td>
      <td>
        <Rates expected={expected / outcomes} came={good / outcomes} />
      </td>
      <td class="number">{share(expected / outcomes, 1)}</td>
      <td class="number">{share(good / outcomes, 1)}</td>
    </tr>
  )
}

/** What came as a bar, what was expected as a line over it; the figures are next to it. */
function Rates({ expected, came }: { expected: number; came: number }) {
  return (
    <span class="rates" aria-hidden="true">
      <span class="rates-came" style={{ width: `${came * 100}%` }} />
      <span class="rates-expected" style={{ left: `${expected * 100}%` }} />
    </span>
  )
}
