import { writeFileSync } from 'node:fs'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { readOptions } from '../options.ts'
import { machine, markdown, plain, resultsTo, type Table, writeSection } from '../report.ts'
import { chartOf } from './grow/chart.ts'
import { addAgents, addEvents } from './grow/fill.ts'
import { memoryMb } from './import/watch.ts'
import { contendersOf, createLoad, inItems, type Load, ourRequests } from './rates/contenders.ts'
import { type HttpLoad, loadHttp } from './rates/load.ts'
import { CLIENTS } from './rates/options.ts'
import { runRounds, SLICE_WARM_MS } from './rates/rounds.ts'
import { type Row, rowOf } from './rates/rows.ts'
import { type Stage, setStage } from './rates/stage.ts'
import { runAs, serveTasks, startWorker } from './rates/worker.ts'
import { startService } from './service.ts'

const USAGE = `npm run bench:grow -- [--events N] [--agents N] [--steps N] [--json [FILE]] [--page FILE] [--picture FILE]

Measures rates, memory and room while a database grows. At each size, an almost empty one is asked the same in
turn.`

/** At each size: three minutes, after which the medians of the ratios are good to about a tenth. */
const LENGTH = { rounds: 7, roundMs: 2_000, firstMs: 4_000 }

/** The part of the rate beside an empty database that is wanted at every size. */
const WANTED = 0.9

/**
 * Agents that each side is asked about: more than a node caches, so that the database answers most, and equally
 * many, so that a difference is one of the size.
 */
const ASKED = 20_000

/** What is compared, in the order of the columns. */
const RATES = ['reads', 'events', 'events in batches'] as const

interface Step {
  readonly events: number
  readonly agents: number
  /** For each of `RATES`. */
  readonly rows: readonly Row[]
  readonly memoryMb: number
  readonly databaseGb: number
}

async function main(): Promise<void> {
  const values = readOptions(USAGE, {
    events: 10_000_000,
    agents: 1_000_000,
    steps: 5,
    json: null,
    page: null,
    picture: null,
  })
  const results = resultsTo(values.json)
  const stage = await setStage()
  const asking = startWorker('load')
  try {
    const load = createLoad(asking, stage, { clients: CLIENTS, warmMs: SLICE_WARM_MS })
    const size = { events: values.events, agents: values.agents }
    const steps = await grow(stage, load, size, values.steps)
    const readyMs = await readyAgainMs(stage)
    const table = tableOf(steps)
    const end = `Ready again ${Math.round(readyMs)} ms after it was started on that database. On ${machine()}.`
    results.say(`${plain(table)}\n${end}\n`)
    results.finish([
      ...steps.flatMap(({ rows, ...size }) => rows.map((row) => ({ ...row, ...size }))),
      { readyMs },
    ])
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
  let ids = await addAgents(pool, Math.min(ASKED, agents))
  const agentsEachStep = Math.floor((agents - ids.length) / count)
  const steps: Step[] = []
  for (let step = 0; step <= count; step++) {
    if (step > 0) {
      ids = [...ids, ...(await addAgents(pool, agentsEachStep))]
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
  return {
    events: Number(rows[0]?.events ?? 0),
    agents: ids.length,
    rows: await besideEmpty(stage, load, asked),
    memoryMb: memoryMb(stage.service.pid),
    databaseGb: Number(rows[0]?.bytes ?? 0) / 1e9,
  }
}

/** A virtual machine is not as fast an hour later: what it is compared with has to be measured at the same time. */
async function besideEmpty(
  stage: Stage,
  load: Load,
  agentIds: readonly string[],
): Promise<readonly Row[]> {
  const empty = await setStage()
  const pool = createPool({ url: empty.databaseUrl })
  const ours = sideOf(stage, load, agentIds)
  const anchor = sideOf(empty, load, await addAgents(pool, agentIds.length))
  await pool.end()
  const pairs = RATES.map((name) => ({
    name,
    ours: ours[name],
    anchor: anchor[name],
    target: WANTED,
  }))
  const measured = await runRounds(pairs, LENGTH, stage.postgresPid, () => {})
  await empty.end()
  return measured.map(rowOf)
}

function sideOf(stage: Stage, load: Load, agentIds: readonly string[]) {
  const requests = ourRequests({ ...stage, agentIds })
  const ask = contendersOf(load, stage.service)
  return {
    reads: ask(requests.read),
    events: ask(requests.event),
    'events in batches': inItems(ask(requests.batch)),
  }
}

async function readyAgainMs({ databaseUrl }: Stage): Promise<number> {
  const startedAt = performance.now()
  const service = await startService(databaseUrl)
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
  const rate = ({ ours, ratio, runs }: Row) => {
    const ratios = runs.map((run) => run.ratio.toFixed(2)).sort()
    return `${whole(ours)} (${ratio.toFixed(2)}, ${ratios[0]}..${ratios.at(-1)})`
  }
  return {
    head: ['events', 'agents', ...RATES.map((name) => `${name}/s`), 'MB', 'GB on disk'],
    rows: steps.map((step) => [
      whole(step.events),
      whole(step.agents),
      ...step.rows.map(rate),
      whole(step.memoryMb),
      step.databaseGb.toFixed(2),
    ]),
  }
}

function pictureOf(steps: readonly Step[]): string {
  const events = steps.map((step) => step.events)
  const lines = RATES.map((name, i) => ({
    name,
    values: steps.map(({ rows }) => rows[i]?.ratio ?? Number.NaN),
  }))
  return chartOf('Rates by size of the database; 1 is an empty one', events, lines)
}

await runAs({ load: () => serveTasks((task: HttpLoad) => loadHttp(task)) }, main)
