import { readOptions, wholeNumber } from '../options.ts'
import { publish, type Table } from '../report.ts'
import { quantile } from '../statistics.ts'
import { type Flood, type FloodResult, flood } from './overload/flood.ts'
import { type ProbeResult, probe } from './overload/probe.ts'
import { type OverloadStage, openOverloadStage } from './overload/stage.ts'
import { runAs, serveTasks, startWorker, type Worker } from './rates/worker.ts'

const USAGE = `npm run bench:overload -- [--quick] [--clients N,N…] [--only WORD] [--json [FILE]] [--page FILE]

Measures what the service still does at ten times the load that it can carry, and how soon it has recovered.`

/** Connections around those at which the service does its best, ten times as many, and more. */
const CLIENTS = [16, 32, 160, 320, 1_000]

/** Uncounted: until the lengths of the queues are stable. */
const WARM_MS = 2_000

/**
 * Each number of clients has its turn in each round. The tables grow while it is measured: otherwise
 * the last number would find ten times as many events as the first.
 */
const ROUNDS = 4
const ROUND_MS = 5_000

/** One number of clients in one round. */
interface Part extends FloodResult {
  readonly load: string
  readonly clients: number
  readonly perRequest: number
  readonly health: ProbeResult
  /** How long after the flood an ordinary request was answered within 100 ms again. */
  readonly recoveryMs: number
}

/** One number of clients in all rounds. */
interface Row {
  readonly load: string
  readonly clients: number
  readonly perRequest: number
  readonly acceptedPerSecond: number
  readonly refusedPerSecond: number
  readonly cutOffPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly healthP99Ms: number
  readonly healthMaxMs: number
  readonly recoveryMs: number
}

async function main(): Promise<void> {
  const values = readOptions(USAGE, {
    quick: false,
    json: null,
    page: null,
    clients: null,
    only: '',
  })
  const rounds = values.quick ? 1 : ROUNDS
  const clients =
    values.clients?.split(',').map((count) => wholeNumber('clients', count)) ?? CLIENTS
  const stage = await openOverloadStage()
  const worker = startWorker('flood')
  const rows: Row[] = []
  try {
    for (const load of stage.loads.filter(({ name }) => name.includes(values.only))) {
      // Uncounted: until the code is compiled.
      await measure(stage, worker, load, clients[0] ?? 1)
      const parts: Part[] = []
      for (let round = 0; round < rounds; round++) {
        for (const count of clients) {
          parts.push(await measure(stage, worker, load, count))
          report(rowOf(parts.slice(-1)))
        }
      }
      rows.push(...clients.map((count) => rowOf(parts.filter((part) => part.clients === count))))
    }
  } finally {
    await worker.end()
    await stage.close()
  }
  publish(values, { section: 'overload', table: tableOf(rows), rows })
}

interface Load {
  readonly name: string
  readonly perRequest: number
  readonly requests: readonly Uint8Array[]
}

async function measure(
  { port, url }: OverloadStage,
  worker: Worker,
  { name, perRequest, requests }: Load,
  clients: number,
): Promise<Part> {
  const task: Flood = { port, clients, requests, warmMs: WARM_MS, ms: ROUND_MS }
  const flooding = worker.ask<FloodResult>(task)
  const health = await probe(`${url}/healthz`, flooding, WARM_MS)
  const result = await flooding
  const recoveryMs = await recovery(url)
  return { load: name, clients, perRequest, health, recoveryMs, ...result }
}

async function recovery(url: string): Promise<number> {
  const from = performance.now()
  for (;;) {
    const startedAt = performance.now()
    const { status } = await fetch(`${url}/readyz`)
    const now = performance.now()
    if (status === 200 && now - startedAt < 100) {
      return startedAt - from
    }
  }
}

function report({ load, clients, acceptedPerSecond, p99Ms, healthMaxMs }: Row): void {
  process.stderr.write(
    `${load} ${clients}: ${Math.round(acceptedPerSecond)}/s, p99 ${p99Ms.toFixed(0)} ms, ` +
      `healthz ${healthMaxMs.toFixed(0)} ms\n`,
  )
}

/** One row for the rounds of one load. */
function rowOf(parts: readonly Part[]): Row {
  const [first] = parts
  const mean = (field: 'acceptedPerSecond' | 'refusedPerSecond' | 'cutOffPerSecond') =>
    parts.reduce((sum, part) => sum + part[field], 0) / parts.length
  const tookMs = inOrder(parts.map((part) => part.tookMs))
  const health = inOrder(parts.map((part) => part.health))
  return {
    load: first?.load ?? '',
    clients: first?.clients ?? 0,
    perRequest: first?.perRequest ?? 0,
    acceptedPerSecond: mean('acceptedPerSecond'),
    refusedPerSecond: mean('refusedPerSecond'),
    cutOffPerSecond: mean('cutOffPerSecond'),
    p50Ms: quantile(tookMs, 0.5),
    p99Ms: quantile(tookMs, 0.99),
    healthP99Ms: quantile(health, 0.99),
    healthMaxMs: health.at(-1) ?? 0,
    recoveryMs: Math.max(...parts.map((part) => part.recoveryMs)),
  }
}

function inOrder(parts: readonly (readonly number[])[]): readonly number[] {
  return parts.flat().sort((a, b) => a - b)
}

function tableOf(rows: readonly Row[]): Table {
  const best = (name: string) =>
    Math.max(...rows.filter(({ load }) => load === name).map((row) => row.acceptedPerSecond))
  return {
    head: [
      'load',
      'clients',
      'events/s',
      'of the best',
      'p50 ms',
      'p99 ms',
      'refused/s',
      'cut off/s',
      'healthz p99 ms',
      'healthz max ms',
      'recovery ms',
    ],
    rows: rows.map((row) => [
      row.load,
      String(row.clients),
      Math.round(row.acceptedPerSecond * row.perRequest).toLocaleString('en-US'),
      (row.acceptedPerSecond / best(row.load)).toFixed(2),
      row.p50Ms.toFixed(0),
      row.p99Ms.toFixed(0),
      row.refusedPerSecond.toFixed(0),
      row.cutOffPerSecond.toFixed(0),
      row.healthP99Ms.toFixed(0),
      row.healthMaxMs.toFixed(0),
      row.recoveryMs.toFixed(0),
    ]),
  }
}

await runAs({ flood: () => serveTasks((task: Flood) => flood(task)) }, main)
