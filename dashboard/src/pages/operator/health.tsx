import { metrics, readiness } from '../../api/operator.ts'
import { useResource } from '../../api/resource.ts'
import { duration, number } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { pathOf } from '../../paths.ts'
import { PageHead, Section } from '../../ui/page.tsx'
import { Loaded, messageOf } from '../../ui/states.tsx'
import { figuresOf, type Metrics, operationsOf, parseMetrics } from './metrics.ts'

/** Often enough to watch a restart. */
const POLL_MS = 5_000

/** Whether this node can serve, and what it has counted. */
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
      <Loaded of={counted} rows={8}>
        {(data) => <Counted metrics={data} />}
      </Loaded>
    </>
  )
}

function Counted({ metrics: data }: { metrics: Metrics }) {
  const { health: texts } = t.value
  return (
    <div class="columns">
      <Section title={texts.requests}>
        <div class="table-frame">
          <table class="compact">
            <thead>
              <tr>
                <th scope="col">{texts.operation}</th>
                <th scope="col" class="number">
                  {texts.count}
                </th>
                <th scope="col" class="number">
                  {texts.errors}
                </th>
                <th scope="col" class="number">
                  {texts.mean}
                </th>
              </tr>
            </thead>
            <tbody>
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
            </tbody>
          </table>
        </div>
      </Section>
      <Section title={texts.figures}>
        <div class="table-frame">
          <table class="compact">
            <thead>
              <tr>
                <th scope="col">{texts.figure}</th>
                <th scope="col" class="number">
                  {texts.value}
                </th>
              </tr>
            </thead>
            <tbody>
              {figuresOf(data).map(({ label, value }) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  <td class="number">{number(value, 2)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Section>
    </div>
  )
}
