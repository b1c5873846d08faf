import { metrics, readiness } from '../../../api/operator.ts'
import { useResource } from '../../../api/resource.ts'
import { duration, number } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'
import { pathOf } from '../../../paths.ts'
import { PageHead, Section } from '../../../ui/page.tsx'
import { Loaded, messageOf } from '../../../ui/states.tsx'
import { Table } from '../../../ui/table.tsx'
import { Backups } from './backups.tsx'
import { Jobs } from './jobs.tsx'
import { figuresOf, type Metrics, operationsOf, parseMetrics } from './metrics.ts'

/** Often enough to watch a restart. */
const POLL_MS = 5_000

/** Whether this node can serve, what waits, when the last backup was made, and what was counted. */
export function Health() {
  const { health: texts } = t.value
  const ready = useResource('ready', readiness, { freshMs: 0, pollMs: POLL_MS })
  const counted = useResource('metrics', async (signal) => parseMetrics(await metrics(signal)), {
    freshMs: 0,
    pollMs: POLL_MS,
  })
  return (
    <>
      <PageHead title={texts.title} lead={texts.sinceStart}>
        <a class="button" href={pathOf('/metrics')} target="_blank" rel="noreferrer">
          {texts.metrics}
        </a>
      </PageHead>
      <p role="status">
        {ready.error === undefined ? (
          ready.data && <span class="status status-fine">{texts.ready}</span>
        ) : (
          <span class="status status-bad">
            {texts.notReady}: {messageOf(ready.error)}
          </span>
        )}
      </p>
      <Jobs />
      <Backups />
      <Loaded of={counted} rows={8}>
        {(data) => <Counted metrics={data} />}
      </Loaded>
    </>
  )
}

function Counted({ metrics: data }: { metrics: Metrics }) {
  const { health: texts } = t.value
  return (
    <>
      <Section title={texts.requests}>
        <Table
          class="compact"
          columns={[
            texts.operation,
            { number: texts.count },
            { number: texts.errors },
            { number: texts.mean },
          ]}
        >
          {operationsOf(data).map(({ operation, count, errors, meanMs }) => (
            <tr key={operation}>
              <th scope="row" class="mono">
                {operation}
              </th>
              <td class="number">{number(count)}</td>
              <td class="number">{number(errors)}</td>
              <td class="number">{duration(meanMs)}</td>
            </tr>
          ))}
        </Table>
      </Section>
      <details>
        <summary>{texts.figures}</summary>
        <Table class="compact" columns={[texts.figure, { number: texts.value }]}>
          {figuresOf(data).map(({ label, value }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td class="number">{number(value, 2)}</td>
            </tr>
          ))}
        </Table>
      </details>
    </>
  )
}
