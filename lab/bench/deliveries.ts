import { post } from '../../src/delivery/post.ts'
import { startInterval } from '../../src/lib/interval.ts'
import { pause } from '../../src/lib/pause.ts'
import { newSecret, signatureHeaders } from '../../src/lib/standard-webhooks.ts'
import { createPolicy } from '../../src/outbound/address.ts'
import { createGuardedAgent } from '../../src/outbound/connect.ts'
import { readOptions } from '../options.ts'
import { publish, type Table } from '../report.ts'
import { median } from '../statistics.ts'
import { openStage, type Stage } from './deliveries/stage.ts'
import { startService } from './service.ts'

const USAGE = `npm run bench:deliveries -- [--quick] [--json [FILE]] [--page FILE]

Measures how fast webhooks are delivered, what receivers that hang cost the others, what a backlog costs, and
what the death of a node does.`

interface Row {
  readonly name: string
  readonly ours: number
  /** What it is compared with: measured in the same run, or the bound that was set. */
  readonly anchor: number
  readonly ratio: number
  readonly runs: readonly number[]
}

const values = readOptions(USAGE, { quick: false, json: null, page: null })
const scale = values.quick ? 0.2 : 1

const round = (value: number) => Math.round(value * 100) / 100

function row(name: string, runs: readonly number[], anchor: number): Row {
  const ours = median(runs)
  return { name, ours: round(ours), anchor: round(anchor), ratio: round(ours / anchor), runs }
}

/** For how long nothing may arrive while some are missing: twice as long as a killed node may delay all. */
const NONE_ARRIVED_MAX_MS = 60_000

/** Seconds until every notification has arrived, or none of the missing ones does any more. */
async function arrival(stage: Stage, count: number): Promise<number> {
  const from = performance.now()
  let latest = { unique: 0, at: from }
  for (;;) {
    const { unique } = await stage.report()
    const at = performance.now()
    latest = unique > latest.unique ? { unique, at } : latest
    if (unique >= count || at - latest.at > NONE_ARRIVED_MAX_MS) {
      return (latest.at - from) / 1000
    }
    await pause(50)
  }
}

/** Seconds until every notification has arrived. @throws where some do not */
async function drained(stage: Stage, count: number): Promise<number> {
  const seconds = await arrival(stage, count)
  const { unique } = await stage.report()
  if (unique < count) {
    throw new Error(`${count - unique} of ${count} notifications did not arrive`)
  }
  return seconds
}

/** The posts of the bench by this process alone: without a store, an order or a log. */
async function barePosts(stage: Stage, count: number, atOnce: number): Promise<number> {
  const dispatcher = createGuardedAgent({ policy: createPolicy(['127.0.0.0/8']) })
  const secrets = [newSecret()]
  let next = 0
  const from = performance.now()
  const worker = async () => {
    while (next++ < count) {
      const id = `evt_${next}`
      const timestamp = new Date().toISOString()
      const body = JSON.stringify({ id, type: 'score.changed', timestamp, data: { agentId: id } })
      const timestampSeconds = Math.floor(Date.now() / 1000)
      const headers = { ...signatureHeaders({ id, timestampSeconds, body, secrets }) }
      await post({ url: stage.receiverUrl, headers, body, dispatcher })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  const perSecond = count / ((performance.now() - from) / 1000)
  await dispatcher.close()
  return perSecond
}

async function throughput(stage: Stage, subscriptions: number): Promise<Row> {
  const count = 20_000 * scale
  const runs: number[] = []
  const anchors: number[] = []
  for (let run = 0; run < 3; run++) {
    await stage.clear()
    anchors.push(await barePosts(stage, count, Math.min(subscriptions * 10, 200)))
    await stage.clear()
    const owners = await stage.subscribe(Array(subscriptions).fill(stage.receiverUrl))
    await stage.notify(owners, 1000 / subscriptions, count / subscriptions)
    const node = stage.startNode()
    runs.push(count / (await drained(stage, count)))
    await node.close()
  }
  const name = `deliveries/s, ${subscriptions} subscriptions (anchor: bare posts)`
  return row(name, runs, median(anchors))
}

/** Steady notifications to a hundred subscriptions; p99 from being caused to being received, of the quick. */
async function p99OfTheQuick(stage: Stage, hanging: number): Promise<number> {
  await stage.clear()
  const urls = Array.from(
    { length: 100 },
    (_, i) => stage.receiverUrl + (i < hanging ? '/hang' : ''),
  )
  const owners = await stage.subscribe(urls)
  const node = stage.startNode()
  const rounds = 100 * scale
  for (let i = 0; i < rounds; i++) {
    await stage.notify(owners, 3, 3)
    await pause(200)
  }
  await drained(stage, rounds * 3 * (100 - hanging))
  const { p99 } = await stage.report()
  await node.close()
  return p99
}

async function hanging(stage: Stage): Promise<readonly Row[]> {
  const alone = await p99OfTheQuick(stage, 0)
  const beside = await p99OfTheQuick(stage, 50)
  return [
    row('p99 ms of 50 quick subscriptions beside 50 that hang (bound 1000)', [beside], 1000),
    row('p99 ms of 50 quick beside 50 that hang (anchor: none hangs)', [beside], alone),
  ]
}

async function backlog(stage: Stage): Promise<readonly Row[]> {
  const count = 100_000 * scale
  await stage.clear()
  const owners = await stage.subscribe(Array(20).fill(stage.receiverUrl))
  await stage.notify(owners, 500, count / 20)
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let peak = before
  const work = () => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }
  const watch = startInterval({ everyMs: 20, work })
  const node = stage.startNode()
  const seconds = await drained(stage, count)
  await watch.stop()
  await node.close()
  return [
    row(
      `MB for ${count} waiting notifications while they drain (bound 150)`,
      [(peak - before) / 2 ** 20],
      150,
    ),
    row(`s to drain ${count} waiting notifications (bound: 2000/s)`, [seconds], count / 2000),
  ]
}

/** A node killed in mid-delivery, and another one started: what is lost, what is repeated. */
async function death(stage: Stage): Promise<readonly Row[]> {
  const count = 20_000 * scale
  await stage.clear()
  const owners = await stage.subscribe(Array(20).fill(stage.receiverUrl))
  await stage.notify(owners, 50, count / 20)
  const start = () => startService(stage.databaseUrl, { settings: stage.settings })
  const first = await start()
  while ((await stage.report()).posts < count / 4) {
    await pause(5)
  }
  process.kill(first.pid, 'SIGKILL')
  const second = await start()
  const seconds = await arrival(stage, count)
  // Until all is recorded, some may still be repeated. What is lost would be waited for without an end.
  while ((await stage.report()).unique >= count && (await stage.pending()) > 0) {
    await pause(50)
  }
  const { posts, unique } = await stage.report()
  await second.end()
  return [
    row('notifications lost by kill -9 of a node (bound 0)', [count - unique], 1),
    row(
      'notifications repeated after kill -9 (1000 places, and what was just answered)',
      [posts - unique],
      1000,
    ),
    row('s from kill -9 until all is delivered (bound 30)', [seconds], 30),
  ]
}

function tableOf(rows: readonly Row[]): Table {
  return {
    head: ['', 'ours', 'anchor or bound', 'ratio', 'runs'],
    rows: rows.map(({ name, ours, anchor, ratio, runs }) => [
      name,
      String(ours),
      String(anchor),
      ratio.toFixed(2),
      runs.map(round).join(' '),
    ]),
  }
}

const stage = await openStage()
try {
  const rows = [
    await throughput(stage, 1),
    await throughput(stage, 20),
    ...(await hanging(stage)),
    ...(await backlog(stage)),
    ...(await death(stage)),
  ]
  publish(values, { section: 'deliveries', table: tableOf(rows), rows })
} finally {
  await stage.close()
}
