import type { Resource } from '../../../api/resource.ts'
import type { Jobs as JobsRead } from '../../../api/types.ts'
import { duration, number } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'
import { Section } from '../../../ui/page.tsx'
import { Loaded } from '../../../ui/states.tsx'
import { Table } from '../../../ui/table.tsx'
import { Time } from '../../../ui/time.tsx'

/** What waits to be done, and what this node does by itself. */
export function Jobs({ of }: { of: Resource<JobsRead> }) {
  const { jobs: texts } = t.value
  return (
    <Loaded of={of}>
      {({ queues, jobs }) => (
        <div class="columns">
          <Section title={texts.queues}>
            <Table class="compact" columns={[texts.queue, { number: texts.waiting }, texts.oldest]}>
              {queues.map(({ name, waiting, oldestAt }) => (
                <tr key={name}>
                  <th scope="row">{texts.queueNames[name]}</th>
                  <td class="number">{number(waiting)}</td>
                  <td>{oldestAt && <Time at={oldestAt} />}</td>
                </tr>
              ))}
            </Table>
          </Section>
          <Section title={texts.title}>
            <Table columns={[texts.job, texts.last, texts.next, texts.failures]}>
              {jobs.map((job) => (
                <JobRow key={job.name} job={job} />
              ))}
            </Table>
          </Section>
        </div>
      )}
    </Loaded>
  )
}

function JobRow({ job }: { job: JobsRead['jobs'][number] }) {
  const { jobs: texts } = t.value
  const names: Readonly<Record<string, string>> = texts.names
  const { name, everySeconds, isRunning, lastStartedAt, nextAt, failures, lastError } = job
  return (
    <tr>
      <th scope="row" title={texts.every(duration(everySeconds * 1_000))}>
        {names[name] ?? name}
      </th>
      <td>{isRunning ? texts.running : <Time at={lastStartedAt} />}</td>
      <td>
        <Time at={nextAt} />
      </td>
      <td>
        {lastError ? (
          <>
            {number(failures)}: <span lang="en">{lastError.message}</span> (
            <Time at={lastError.at} />)
          </>
        ) : (
          texts.noFailure
        )}
      </td>
    </tr>
  )
}
