import { cpus } from 'node:os'
import { median } from '../../src/lib/statistics.ts'
import { readOptions } from '../options.ts'
import { markdown, plain, resultsTo, type Table, writeSection } from '../report.ts'
import { ourRequests } from './rates/contenders.ts'
import { type Figure, type HttpLoad, loadHttp } from './rates/load.ts'
import { BATCH } from './rates/requests.ts'
import { familyUs } from './rates/rounds.ts'
import { startService } from './rates/service.ts'
import { type Stage, setStage } from './rates/stage.ts'
import { serveTasks, startWorker } from './rates/worker.ts'

const USAGE = `npm run bench:cluster -- [--json [FILE]] [--page FILE]

Measures the same load on a service of one, two and four processes.`

const WORKERS = [1, 2, 4]
const CLIENTS = 64
/** How long each is warmed up and measured, and how often: the middle one counts. */
const FIRST_MS = 2_000
const RUN_MS = 1_500
const ROUNDS = 3

const LOADS = [
  { name: 'score read', request: 'read', items: 1 },
  { name: 'one event a request', request: 'event', items: 1 },
  { name: 'batches of 100 events', request: 'batch', items: BATCH },
] as const

interface Row {
  readonly name: string
  readonly workers: number
  readonly ours: number
  readonly runs: readonly number[]
  /** Cores that were busy for the service and for PostgreSQL. */
  readonly serviceCores: number
  readonly postgresCores: number
}

async function main(args: readonly string[]): Promise<void> {
  const values = readOptions(USAGE, { json: null, page: null }, args)
  const results = resultsTo(values.json)
  const stage = await setStage()
  const load = startWorker('load')
  const rows: Row[] = []
  try {
    for (const workers of WORKERS) {
      rows.push(...(await measure(stage, workers, (task) => load.ask<Figure>(task))))
    }
  } finally {
    await load.end()
    await stage.end()
  }
  const head = ['load', 'processes', 'per second', 'min..max', 'service cores', 'PostgreSQL cores']
  const table: Table = { head, rows: rows.map(cellsOf) }
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'an unknown processor'}`
  results.say(`${machine}\n${plain(table)}\n`)
  if (values.page) {
    writeSection(values.page, 'cluster', `On ${machine}.\n\n${markdown(table)}`)
  }
  results.finish(rows)
}

async function measure(
  stage: Stage,
  workers: number,
  ask: (task: HttpLoad) => Promise<Figure>,
): Promise<readonly Row[]> {
  const service = await startService(stage.root, stage.databaseUrl, [], {
    STANDING_CLUSTER: String(workers),
  })
  const requests = ourRequests(stage)
  const rows: Row[] = []
  for (const { name, request, items } of LOADS) {
    const run = (ms: number) =>
      ask({ port: service.port, clients: CLIENTS, requests: requests[request], warmMs: 200, ms })
    await run(FIRST_MS)
    const before = usedBy(service.pid, stage.postgresPid)
    const runs: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      runs.push((await run(RUN_MS)).perSecond * items)
    }
    const after = usedBy(service.pid, stage.postgresPid)
    const cores = (name: 'service' | 'postgres') =>
      (after[name] - before[name]) / (after.at - before.at) / 1_000
    const ours = median(runs)
    const shares = { serviceCores: cores('service'), postgresCores: cores('postgres') }
    rows.push({ name, workers, ours, runs, ...shares })
  }
  await service.end()
  return rows
}

function usedBy(service: number, postgres: number) {
  return {
    at: performance.now(),
    service: familyUs(service) ?? Number.NaN,
    postgres: familyUs(postgres) ?? Number.NaN,
  }
}

function cellsOf({ name, workers, ours, runs, serviceCores, postgresCores }: Row): string[] {
  const whole = (rate: number) => Math.round(rate).toLocaleString('en-GB')
  return [
    name,
    String(workers),
    whole(ours),
    `${whole(Math.min(...runs))}..${whole(Math.max(...runs))}`,
    serviceCores.toFixed(2),
    postgresCores.toFixed(2),
  ]
}

if (process.argv.includes('--role')) {
  serveTasks((task: HttpLoad) => loadHttp(task))
} else {
  await main(process.argv.slice(2))
}
