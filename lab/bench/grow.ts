import { writeFileSync } from 'node:fs'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { readOptions } from '../options.ts'
import { markdown, plain, resultsTo, type Table, writeSection } from '../report.ts'
import { chartOf } from './grow/chart.ts'
import { addAgents, addEvents } from './grow/fill.ts'
import { memoryMb } from './import/watch.ts'
import { createLoad, type Load, ourRequests } from './rates/contenders.ts'
import { type HttpLoad, loadHttp } from './rates/load.ts'
import { CLIENTS } from './rates/options.ts'
import { type Stage, setStage } from './rates/stage.ts'
import { runAs, serveTasks, startWorker } from './rates/worker.ts'
import { startService } from './service.ts'

const USAGE = `npm run bench:grow -- [--events N] [--agents N] [--steps N] [--json [FILE]] [--page FILE] [--picture FILE]

Measures rates, memory and room while a database grows from nothing.`

/** How long each load runs at each size, behind a second that does not count. */
const ROUND_MS = 5_000
const WARM_MS = 1_000

/**
 * Agents that are asked for at each size, the first one too: more than a node caches, so that the database
 * answers most, and equally many everywhere, so that a difference is one of the size.
 */
const ASKED = 20_000

interface Step {
  readonly events: number
  readonly agents: number
  readonly readsPerSecond: number
  readonly eventsPerSecond: number
  readonly batchEventsPerSecond: number
  readonly memoryMb: number
  readonly databaseGb: number
}

async function main(): Promise<void> {
  const values = readOptions(USAGE, {
    events: 10_000_000,
    agents: 1_000_000,
    steps: 10,
    json: null,
    page: null,
    picture: null,
  })
  const results = resultsTo(values.json)
  const stage = await setStage()
  const asking = startWorker('load')
  try {
    const load = createLoad(asking, stage, { clients: CLIENTS, warmMs: WARM_MS })
    const size = { events: values.events, agents: values.agents }
    const steps = await grow(stage, load, size, values.steps)
    const readyMs = await readyAgainMs(stage)
    const table = tableOf(steps)
    const end = `Ready again ${Math.round(readyMs)} ms after it was started on that database.`
    results.say(`${plain(table)}\n${end}\n`)
    results.finish([...steps, { readyMs }])
    if (values.page !== null) {
      writeSection(values.page, 'grow', `${markdown(table)}\n\n${end}`)
    }
    if (values.picture !== null) {
      writeFileSync(values.picture, pictureOf(steps))
    }
  } finally {
    await asking.end()
    await stage.end()
  }
}

async function grow(
  stage: Stage,
  load: Load,
  { events, agents }: { readonly events: number; readonly agents: number },
  count: number,
): Promise<readonly Step[]> {
  const pool = createPool({ url: stage.databaseUrl })
  const store = createPostgresStore(pool)
  const { rows } = await pool.query<{ id: string }>('select id from platforms limit 1')
  const ids: string[] = [...(await addAgents(pool, Math.min(ASKED, agents)))]
  const agentsEachStep = Math.floor((agents - ids.length) / count)
  const steps: Step[] = []
  for (let step = 0; step <= count; step++) {
    if (step > 0) {
      ids.push(...(await addAgents(pool, agentsEachStep)))
      await addEvents(store, rows[0]?.id ?? '', ids, Math.floor(events / count))
    }
    steps.push(await measureStep(stage, load, pool, ids))
    process.stderr.write(`${JSON.stringify(steps.at(-1))}\n`)
  }
  await pool.end()
  return steps
}

async function measureStep(
  stage: Stage,
  load: Load,
  pool: ReturnType<typeof createPool>,
  ids: readonly string[],
): Promise<Step> {
  const { rows } = await pool.query<{ events: number; bytes: number }>(
    `select (select sum(seq) from agent_states)::bigint as events,
       pg_database_size(current_database()) as bytes`,
  )
  const every = Math.max(1, Math.floor(ids.length / ASKED))
  const asked = ids.filter((_, i) => i % every === 0).slice(0, ASKED)
  const requests = ourRequests({ ...stage, agentIds: asked })
  const { port, pid } = stage.service
  const ask = async (of: readonly Uint8Array[]) => (await load.http(port, of, ROUND_MS)).perSecond
  const readsPerSecond = await ask(requests.read)
  const eventsPerSecond = await ask(requests.event)
  const batchesPerSecond = await ask(requests.batch)
  return {
    events: Number(rows[0]?.events ?? 0),
    agents: ids.length,
    readsPerSecond,
    eventsPerSecond,
    batchEventsPerSecond: batchesPerSecond * 100,
    memoryMb: memoryMb(pid),
    databaseGb: Number(rows[0]?.bytes ?? 0) / 1e9,
  }
}

async function readyAgainMs({ root, databaseUrl }: Stage): Promise<number> {
  const startedAt = performance.now()
  const service = await startService(root, databaseUrl)
  const response = await fetch(`${service.url}/readyz`)
  const ms = performance.now() - startedAt
  await service.end()
  if (!response.ok) {
    throw new Error(`not ready: ${response.status}`)
  }
  return ms
}

function tableOf(steps: readonly Step[]): Table {
  const whole = (value: number) => Math.round(value).toLocaleString('en-GB')
  const rate = (step: Step, name: 'readsPerSecond' | 'eventsPerSecond' | 'batchEventsPerSecond') =>
    `${whole(step[name])} (${(step[name] / (steps[0]?.[name] ?? 1)).toFixed(2)})`
  return {
    head: ['events', 'agents', 'reads/s', 'events/s', 'events/s in batches', 'MB', 'GB on disk'],
    rows: steps.map((step) => [
      whole(step.events),
      whole(step.agents),
      rate(step, 'readsPerSecond'),
      rate(step, 'eventsPerSecond'),
      rate(step, 'batchEventsPerSecond'),
      whole(step.memoryMb),
      step.databaseGb.toFixed(2),
    ]),
  }
}

function pictureOf(steps: readonly Step[]): string {
  const events = steps.map((step) => step.events)
  return chartOf('Rates by size of the database; 1 is an empty one', events, [
    { name: 'score reads', values: steps.map(({ readsPerSecond }) => readsPerSecond) },
    { name: 'one event a request', values: steps.map(({ eventsPerSecond }) => eventsPerSecond) },
    {
      name: 'events in batches of 100',
      values: steps.map(({ batchEventsPerSecond }) => batchEventsPerSecond),
    },
  ])
}

await runAs({ load: () => serveTasks((task: HttpLoad) => loadHttp(task)) }, main)
