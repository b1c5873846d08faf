// npm run bench:citus: the service on a Citus cluster against the same on one PostgreSQL, in turns.

import { distribute } from '../../src/store/postgres/distribution.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { endWith, readOptions, wholeNumber } from '../options.ts'
import { machine, publish, type Table } from '../report.ts'
import { median } from '../statistics.ts'
import { ourRequests } from './rates/contenders.ts'
import { type Figure, type HttpLoad, loadHttp } from './rates/load.ts'
import { CLIENTS } from './rates/options.ts'
import { BATCH } from './rates/requests.ts'
import { type Enrolled, enrollOn } from './rates/stage.ts'
import { runAs, serveTasks, startWorker } from './rates/worker.ts'
import { startService } from './service.ts'

const USAGE = `npm run bench:citus -- --cluster URL --plain URL [--shards N] [--rounds N] [--page FILE] [--json [FILE]]

Compares the service on a Citus cluster with the service on one server. Both are empty databases: the
first one of a Citus coordinator with its workers, the second one of a server without Citus on the same
machine.`

const FIRST_MS = 4_000
const WARM_MS = 500
const RUN_MS = 2_000

const LOADS = [
  { name: 'score read', request: 'read', items: 1 },
  // Before single events: the score of an agent with few reports often falls, which is a task on the coordinator.
  { name: 'batches of 100 events', request: 'batch', items: BATCH },
  { name: 'one event a request', request: 'event', items: 1 },
  { name: 'one event, Idempotency-Key', request: 'eventOnce', items: 1 },
] as const

interface Side extends Enrolled {
  readonly port: number
  end(): Promise<void>
}

interface Row {
  readonly name: string
  readonly ours: number
  readonly anchor: number
  readonly ratio: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly runs: readonly { readonly ours: number; readonly anchor: number }[]
}

async function main(): Promise<void> {
  const values = readOptions(USAGE, {
    cluster: '',
    plain: '',
    shards: null,
    rounds: 5,
    page: null,
    json: null,
  })
  if (!values.cluster || !values.plain) {
    endWith(USAGE)
  }
  const { workers, shards } = await prepare(values.cluster, values.shards)
  const cluster = await start(values.cluster)
  const single = await start(values.plain)
  const load = startWorker('load')
  const rows: Row[] = []
  for (const one of LOADS) {
    rows.push(await compare(one, [cluster, single], values.rounds, (t) => load.ask(t)))
  }
  await load.end()
  await Promise.all([cluster.end(), single.end()])
  publish(values, {
    section: `citus-${workers}`,
    about: `${workers} workers, ${shards} shards; ${machine()}`,
    table: tableOf(rows),
    rows,
  })
}

/** Distributes the tables before the service makes use of them. */
async function prepare(url: string, shards: string | null) {
  const pool = createPool({ url }, { max: 2 })
  await migrate(pool)
  const distribution = await distribute(
    pool,
    shards === null ? undefined : wholeNumber('shards', shards),
  )
  await pool.end()
  return distribution
}

async function start(databaseUrl: string): Promise<Side> {
  const service = await startService(databaseUrl)
  const enrolled = await enrollOn(service)
  return { ...enrolled, port: service.port, end: () => service.end() }
}

async function compare(
  { name, request, items }: (typeof LOADS)[number],
  [cluster, single]: readonly [Side, Side],
  rounds: number,
  ask: (task: HttpLoad) => Promise<Figure>,
): Promise<Row> {
  const run = (side: Side, warmMs: number, ms: number) => {
    const requests = ourRequests(side)[request]
    return ask({ port: side.port, clients: CLIENTS, requests, warmMs, ms })
  }
  for (const side of [cluster, single]) {
    await run(side, 0, FIRST_MS)
  }
  const figures: { ours: Figure; anchor: Figure }[] = []
  for (let round = 0; round < rounds; round++) {
    const ours = await run(cluster, WARM_MS, RUN_MS)
    const anchor = await run(single, WARM_MS, RUN_MS)
    process.stderr.write(
      `${name} ${Math.round(ours.perSecond * items)} ${Math.round(anchor.perSecond * items)}\n`,
    )
    figures.push({ ours, anchor })
  }
  return {
    name,
    ours: median(figures.map(({ ours }) => ours.perSecond * items)),
    anchor: median(figures.map(({ anchor }) => anchor.perSecond * items)),
    ratio: median(figures.map(({ ours, anchor }) => ours.perSecond / anchor.perSecond)),
    p50Ms: median(figures.map(({ ours }) => ours.p50Ms)),
    p99Ms: median(figures.map(({ ours }) => ours.p99Ms)),
    runs: figures.map(({ ours, anchor }) => ({
      ours: ours.perSecond * items,
      anchor: anchor.perSecond * items,
    })),
  }
}

function tableOf(rows: readonly Row[]): Table {
  const whole = (rate: number) => Math.round(rate).toLocaleString('en-GB')
  return {
    head: ['load', 'cluster/s', 'one PostgreSQL/s', 'ratio', 'min..max', 'p50 ms', 'p99 ms'],
    rows: rows.map(({ name, ours, anchor, ratio, p50Ms, p99Ms, runs }) => {
      const ratios = runs.map((run) => run.ours / run.anchor)
      return [
        name,
        whole(ours),
        whole(anchor),
        ratio.toFixed(2),
        `${Math.min(...ratios).toFixed(2)}..${Math.max(...ratios).toFixed(2)}`,
        p50Ms.toFixed(1),
        p99Ms.toFixed(1),
      ]
    }),
  }
}

await runAs({ load: () => serveTasks((task: HttpLoad) => loadHttp(task)) }, main)
