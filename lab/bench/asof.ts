import { pause } from '../../src/lib/pause.ts'
import { attributeCheckpoints } from '../../src/scoring/attribution.ts'
import { readOptions } from '../options.ts'
import { plain, publish, type Table } from '../report.ts'
import { median } from '../statistics.ts'
import { type LongStage, openLongStage } from './asof/stage.ts'

const USAGE = `npm run bench:asof -- [--events N] [--json [FILE]] [--page FILE]

Measures what questions about the past of one agent, and lists of its events, cost when it has a million.`

interface Row {
  readonly name: string
  readonly asked: number
  readonly medianMs: number
  readonly worstMs: number
}

const ROUNDS = 20

/** Samples of a question that takes long. */
const FEW = 5

/** As many as three times the connections of a node. */
const LISTS = 40

async function main(): Promise<void> {
  const values = readOptions(USAGE, { events: 1_000_000, json: null, page: null })
  const { events } = values
  const begun = performance.now()
  const stage = await openLongStage(events)
  try {
    process.stderr.write(`${events} events in ${seconds(begun)} s\n`)
    await attributeAll(stage)
    process.stderr.write(`attributed after ${seconds(begun)} s\n`)
    const rows = await measure(stage)
    publish(values, { section: 'asof', table: tableOf(rows), rows })
  } finally {
    await stage.close()
  }
}

/** What a node does in the background, one after the other. */
async function attributeAll({ store, agentId }: LongStage): Promise<void> {
  const agentState = await store.agentStates.find({ agentId })
  if (agentState) {
    await attributeCheckpoints({ store, agentState }, Number.POSITIVE_INFINITY)
  }
}

async function measure(stage: LongStage): Promise<readonly Row[]> {
  const { url, agentId, operator, owner, platform, history } = stage
  const { from, to, quarantined } = history
  const anyone = (path: string) => get(`${url}/v1/agents/${agentId}/${path}`)
  const past = (i: number) => new Date(from + ((i + 1) * (to - from)) / (ROUNDS + 2)).toISOString()
  const since = (await owner.score.getHistory(agentId, { limit: 100 })).data.at(-1)?.id
  const oldest = (await stage.store.snapshots.list({ agentId }, 2, 1)).rows[0]?.id
  const early = (await stage.store.events.list({ agentId }, 1_000, 1)).rows[0]?.id
  const latest = (await owner.events.list(agentId, { limit: 1 })).data[0]?.id ?? ''
  const report = () => platform.events.submit(agentId, { type: 'task.completed' })
  const without = (id = '') => owner.score.explain(agentId, { without: id })
  const withQuarantined = () => owner.score.getQuarantined(agentId)
  const unmatched = () => platform.events.list(agentId, { type: 'payment.disputed' })
  const release = (id: string) =>
    operator.operator.review(id, { decision: 'released', reason: 'It is fine.' })
  const lists = () => Promise.all(Array.from({ length: LISTS }, unmatched))

  const rows: Row[] = []
  const add = async (name: string, ask: Ask, options?: RowOptions) => {
    const added = await row(name, ask, options)
    rows.push(added)
    process.stderr.write(`${plain(tableOf([added])).split('\n')[1]}\n`)
  }
  await add('score as of a past time', (i) => anyone(`score?at=${past(i)}`))
  await add('explanation after a new event', () => anyone('score/explanation'), { before: report })
  await add('explanation since a late snapshot', () => anyone(`score/explanation?since=${since}`))
  await add('explanation since the first one', () => anyone(`score/explanation?since=${oldest}`))
  await add('score without the latest event', () => without(latest))
  await add('score without an event of the first thousand', () => without(early), { rounds: FEW })
  await add('list of events, by a type without events', unmatched)
  await add(`${LISTS} such lists at the same time, until the last`, lists, { rounds: FEW })
  await add('report', report)
  await add(`report beside ${LISTS} such lists`, report, { beside: lists })
  await add('release of one of the last thousand', () => release(quarantined.late), { rounds: 1 })
  await add('score with a quarantined event of the middle', withQuarantined, { rounds: FEW })
  await add(
    'release of one of the middle, until it is answered',
    () => release(quarantined.middle),
    {
      rounds: 1,
    },
  )
  const counts = untilReleased(stage)
  await add('report meanwhile', report)
  await add('the same release, until the event counts', () => counts, { rounds: 1 })
  return rows
}

/** How long a release is given. */
const RELEASE_MAX_MS = 600_000

/** Polls the database. */
async function untilReleased({ store, agentId }: LongStage): Promise<void> {
  const until = performance.now() + RELEASE_MAX_MS
  while ((await store.reviews.awaitingRelease(agentId)).length > 0) {
    if (performance.now() > until) {
      throw new Error('the event was not released in time')
    }
    await pause(100)
  }
}

type Ask = (i: number) => Promise<unknown>

interface RowOptions {
  readonly rounds?: number
  /** Done before each question, and not measured. */
  readonly before?: () => Promise<unknown>
  /** Done again and again meanwhile. */
  readonly beside?: () => Promise<unknown>
}

async function row(
  name: string,
  ask: Ask,
  { rounds = ROUNDS, before = async () => {}, beside }: RowOptions = {},
): Promise<Row> {
  const tookMs: number[] = []
  let isOver = false
  const others = async () => {
    while (beside && !isOver) {
      await beside()
    }
  }
  const meanwhile = others()
  for (let i = 0; i < rounds; i++) {
    await before()
    const startedAt = performance.now()
    await ask(i)
    tookMs.push(performance.now() - startedAt)
  }
  isOver = true
  await meanwhile
  return { name, asked: rounds, medianMs: median(tookMs), worstMs: Math.max(...tookMs) }
}

/** A busy machine refuses a question that takes too long; what it waited for counts as well. */
const ATTEMPTS_MAX = 20

async function get(url: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url)
    const text = await response.text()
    if (response.ok) {
      return
    }
    if (response.status !== 503 || attempt === ATTEMPTS_MAX) {
      throw new Error(`${url}: ${response.status} ${text}`)
    }
    const seconds = Number(response.headers.get('retry-after') ?? 1)
    await pause(seconds * 1_000)
  }
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(0)
}

function tableOf(rows: readonly Row[]): Table {
  return {
    head: ['question', 'asked', 'median ms', 'worst ms'],
    rows: rows.map(({ name, asked, medianMs, worstMs }) => [
      name,
      String(asked),
      medianMs.toFixed(1),
      worstMs.toFixed(1),
    ]),
  }
}

await main()
