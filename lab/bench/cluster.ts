import { readOptions } from '../options.ts'
import { familyUs } from '../processes.ts'
import { machine, publish, type Table } from '../report.ts'
import { median } from '../statistics.ts'
import { ourRequests } from './rates/contenders.ts'
import { type Figure, type HttpLoad, loadHttp } from './rates/load.ts'
import { CLIENTS } from './rates/options.ts'
import { BATCH } from './rates/requests.ts'
import { type Stage, setStage } from './rates/stage.ts'
import { runAs, serveTasks, startWorker } from './rates/worker.ts'
import { startService } from './service.ts'

const USAGE = `npm run bench:cluster -- [--only WORD] [--agents N] [--rounds N] [--json [FILE]] [--page FILE]

Measures the same load on a service of one, two and four processes, in turn. --only runs the loads whose name
contains the word. --agents sends all requests about so many agents (500).`

const WORKERS = [1, 2, 4]
/** How long each is warmed up and measured, and how often: the middle one counts. */
const FIRST_MS = 4_000
const RUN_MS = 1_500
const ROUNDS = 3

/** All of the stage. Fewer are reported on by several processes at the same time more often. */
const AGENTS = 500

const LOADS = [
  { name: 'score read', request: 'read', items: 1 },
  { name: 'one event a request', request: 'event', items: 1 },
  { name: 'batches of 100 events', request: 'batch', items: BATCH },
] as const

interface Setup {
  readonly stage: Stage
  readonly workers: number
  readonly loads: readonly (typeof LOADS)[number][]
  readonly requests: ReturnType<typeof ourRequests>
  ask(task: HttpLoad): Promise<Figure>
}

/** One load in one round, and the processor time of each item in microseconds. */
interface Run {
  readonly name: string
  readonly workers: number
  readonly perSecond: number
  readonly serviceUs: number
  readonly postgresUs: number
}

interface Row {
  readonly name: string
  readonly workers: number
  readonly ours: number
  /** The middle one of the ratios to one process, each within a round. */
  readonly ratio: number
  readonly runs: readonly number[]
  readonly serviceUs: number
  readonly postgresUs: number
}

async function main(): Promise<void> {
  const values = readOptions(USAGE, {
    only: '',
    agents: AGENTS,
    rounds: ROUNDS,
    json: null,
    page: null,
  })
  const loads = LOADS.filter(({ name }) => name.includes(values.only))
  const stage = await setStage()
  const requests = ourRequests({ ...stage, agentIds: stage.agentIds.slice(0, values.agents) })
  const load = startWorker('load')
  const ask = (task: HttpLoad) => load.ask<Figure>(task)
  const runs: Run[][] = []
  try {
    for (let round = 0; round < values.rounds; round++) {
      const ofRound: Run[] = []
      for (const workers of round % 2 === 0 ? WORKERS : WORKERS.toReversed()) {
        ofRound.push(...(await measure({ stage, workers, loads, requests, ask })))
      }
      runs.push(ofRound)
    }
  } finally {
    await load.end()
    await stage.end()
  }
  const rows = loads.flatMap(({ name }) => WORKERS.map((workers) => rowOf(runs, name, workers)))
  const head = [
    'load',
    'processes',
    'per second',
    'min..max',
    'of one',
    'service us',
    'PostgreSQL us',
  ]
  const table: Table = { head, rows: rows.map(cellsOf) }
  publish(values, { section: 'cluster', about: `On ${machine()}`, table, rows })
}

/** A service of its own in each round: one that only waits would still be notified of scores. */
async function measure({ stage, workers, loads, requests, ask }: Setup): Promise<readonly Run[]> {
  const settings = { STANDING_CLUSTER: String(workers) }
  const service = await startService(stage.databaseUrl, { settings })
  const runs: Run[] = []
  for (const { name, request, items } of loads) {
    const run = (ms: number) =>
      ask({ port: service.port, clients: CLIENTS, requests: requests[request], warmMs: 0, ms })
    await run(FIRST_MS)
    const before = usedBy(service.pid, stage.postgresPid)
    const { perSecond, total } = await run(RUN_MS)
    const after = usedBy(service.pid, stage.postgresPid)
    runs.push({
      name,
      workers,
      perSecond: perSecond * items,
      serviceUs: (after.service - before.service) / (total * items),
      postgresUs: (after.postgres - before.postgres) / (total * items),
    })
  }
  await service.end()
  return runs
}

function rowOf(rounds: readonly (readonly Run[])[], name: string, workers: number): Row {
  const one = rounds.map((round) => findRun(round, name, 1))
  const ours = rounds.map((round) => findRun(round, name, workers))
  const runs = ours.map(({ perSecond }) => perSecond)
  return {
    name,
    workers,
    ours: median(runs),
    ratio: median(runs.map((rate, i) => rate / (one[i]?.perSecond ?? Number.NaN))),
    runs,
    serviceUs: median(ours.map(({ serviceUs }) => serviceUs)),
    postgresUs: median(ours.map(({ postgresUs }) => postgresUs)),
  }
}

function findRun(round: readonly Run[], name: string, workers: number): Run {
  const run = round.find((one) => one.name === name && one.workers === workers)
  if (!run) {
    throw new Error(`"${name}" was not run with ${workers} processes`)
  }
  return run
}

function usedBy(service: number, postgres: number) {
  return {
    service: familyUs(service) ?? Number.NaN,
    postgres: familyUs(postgres) ?? Number.NaN,
  }
}

function cellsOf({ name, workers, ours, ratio, runs, serviceUs, postgresUs }: Row): string[] {
  const whole = (rate: number) => Math.round(rate).toLocaleString('en-GB')
  return [
    name,
    String(workers),
    whole(ours),
    `${whole(Math.min(...runs))}..${whole(Math.max(...runs))}`,
    ratio.toFixed(2),
    whole(serviceUs),
    whole(postgresUs),
  ]
}

await runAs({ load: () => serveTasks((task: HttpLoad) => loadHttp(task)) }, main)
