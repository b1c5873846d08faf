// npm run bench:overload -- [--quick] [--json FILE] [--page FILE]: what the service still does at ten times the
// load that it can carry, and how soon it is well again.
import { parseArgs } from 'node:util'
import { markdown, plain, type Table, writeRows, writeSection } from '../eval/report.ts'
import { type Flood, type FloodResult, flood } from './overload/flood.ts'
import { type ProbeResult, probe } from './overload/probe.ts'
import { type OverloadStage, openOverloadStage } from './overload/stage.ts'
import { serveTasks, startWorker, type Worker } from './rates/worker.ts'

/** Connections around those at which the service does its best, ten times as many, and more. */
const CLIENTS = [16, 32, 160, 320, 1_000]

/** Before anything is counted: until the code is compiled and the queues are as they stay. */
const WARM_MS = 3_000

interface Row extends FloodResult {
  readonly load: string
  readonly clients: number
  readonly perRequest: number
  readonly health: ProbeResult
  /** How long after the flood an ordinary request was answered within 100 ms again. */
  readonly recoveryMs: number
}

async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      page: { type: 'string' },
      clients: { type: 'string' },
      only: { type: 'string' },
    },
  })
  const ms = values.quick ? 5_000 : 20_000
  const clients = values.clients?.split(',').map(Number) ?? CLIENTS
  const stage = await openOverloadStage()
  const worker = startWorker('flood')
  const rows: Row[] = []
  try {
    for (const load of stage.loads.filter(({ name }) => name.includes(values.only ?? ''))) {
      for (const count of clients) {
        rows.push(await measure(stage, worker, load, { clients: count, ms }))
        const { acceptedPerSecond, p99Ms, health } = rows.at(-1) as Row
        process.stderr.write(
          `${load.name} ${count}: ${Math.round(acceptedPerSecond)}/s, p99 ${p99Ms.toFixed(0)} ms, ` +
            `healthz ${health.maxMs.toFixed(0)} ms\n`,
        )
      }
    }
  } finally {
    await worker.end()
    await stage.close()
  }
  const table = tableOf(rows)
  process.stdout.write(`${plain(table)}\n`)
  if (values.page) {
    writeSection(values.page, 'overload', markdown(table))
  }
  if (values.json) {
    writeRows(values.json, rows)
  }
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
  { clients, ms }: { readonly clients: number; readonly ms: number },
): Promise<Row> {
  const task: Flood = { port, clients, requests, warmMs: WARM_MS, ms }
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
      row.health.p99Ms.toFixed(0),
      row.health.maxMs.toFixed(0),
      row.recoveryMs.toFixed(0),
    ]),
  }
}

if (process.argv.includes('--role')) {
  serveTasks((task: Flood) => flood(task))
} else {
  await main(process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
    process.exit(1)
  })
}
