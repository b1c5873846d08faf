import { getBackups, getJobs } from '../../../api/installation.ts'
import { metrics, readiness } from '../../../api/operator.ts'
import { type Resource, useResource } from '../../../api/resource.ts'
import { duration, number } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'
import { pathOf } from '../../../paths.ts'
import { PageHead, Section } from '../../../ui/page.tsx'
import { ErrorText } from '../../../ui/said.tsx'
import { Loaded, Skeleton } from '../../../ui/states.tsx'
import { Table } from '../../../ui/table.tsx'
import { Backups } from './backups.tsx'
import { Jobs } from './jobs.tsx'
import { figuresOf, type Metrics, operationsOf, parseMetrics } from './metrics.ts'

/** Often enough to watch a restart. */
const POLL_MS = 5_000

/** Jobs run some times a minute at most. */
const JOBS_POLL_MS = 10_000

/** Whether this node can serve, what waits, when the last backup was made, and what was counted. */
export function Health() {
  const { health: texts } = t.value
  const ready = useResource('ready', readiness, { freshMs: 0, pollMs: POLL_MS })
  const counted = useResource('metrics', async (signal) => parseMetrics(await metrics(signal)), {
    freshMs: 0,
    pollMs: POLL_MS,
  })
  const jobs = useResource('jobs', getJobs, { freshMs: 0, pollMs: JOBS_POLL_MS })
  const backups = useResource('backups', getBackups)
  const isRead = [ready, counted, jobs, backups].every(
    ({ data, error }) => data !== undefined || error !== undefined,
  )
  return (
    <>
      <PageHead title={texts.title}>
        <a class="button" href={pathOf('/metrics')} target="_blank" rel="noreferrer">
          {texts.metrics}
        </a>
      </PageHead>
      {/* All at once: what comes earlier does not move when the rest arrives. */}
      {isRead ? (
        <>
          <Ready of={ready} />
          <Jobs of={jobs} />
          <Backups of={backups} />
          <Loaded of={counted}>{(data) => <Counted metrics={data} />}</Loaded>
        </>
      ) : (
        <Skeleton rows={24} />
      )}
    </>
  )
}

function Ready({ of }: { of: Resource<unknown> }) {
  const { health: texts } = t.value
  return (
    <p role="status">
      {of.error === undefined ? (
        <span class="status status-fine">{texts.ready}</span>
      ) : (
        <span class="status status-bad">
          {texts.notReady}: <ErrorText error={of.error} />
        </span>
      )}
    </p>
  )
}

function Counted({ metrics: data }: { metrics: Metrics }) {
  const { health: texts } = t.value
  /** What the service counts beside the operations of the API. */
  const others: Readonly<Record<string, string>> = texts.others
  return (
    <>
      <Section title={texts.requests} lead={`${texts.sinceStart} ${texts.requestsLead}`}>
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
              <th scope="row">{others[operation] ?? <code>{operation}</code>}</th>
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
              <th scope="row" lang="en">
                {label}
              </th>
              <td class="number">{number(value, 2)}</td>
            </tr>
          ))}
        </Table>
      </details>
    </>
  )
}
