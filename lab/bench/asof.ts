// npm run bench:asof -- [--events N] [--json FILE] [--page FILE]: what questions about the past of one agent
// cost when it has a million events.
import { parseArgs } from 'node:util'
import { attributeCheckpoints } from '../../src/scoring/attribution.ts'
import { markdown, plain, type Table, writeRows, writeSection } from '../eval/report.ts'
import { type LongStage, openLongStage } from './asof/stage.ts'

interface Row {
  readonly name: string
  readonly asked: number
  readonly medianMs: number
  readonly worstMs: number
}

const ROUNDS = 20

async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      events: { type: 'string', default: '1000000' },
      json: { type: 'string' },
      page: { type: 'string' },
    },
  })
  const events = Number(values.events)
  const begun = performance.now()
  const stage = await openLongStage(events)
  try {
    process.stderr.write(`${events} events in ${seconds(begun)} s\n`)
    await attributeAll(stage)
    process.stderr.write(`attributed after ${seconds(begun)} s\n`)
    const rows = await measure(stage)
    const table = tableOf(rows)
    process.stdout.write(`${plain(table)}\n`)
    if (values.page) {
      writeSection(values.page, 'asof', markdown(table))
    }
    if (values.json) {
      writeRows(values.json, rows)
    }
  } finally {
    await stage.close()
  }
}

/** What a node does in the background, one after the other. */
async function attributeAll({ store, agentId }: LongStage): Promise<void> {
  const agentState = await store.scores.find(agentId)
  if (agentState) {
    await attributeCheckpoints({ store, agentState }, Number.POSITIVE_INFINITY)
  }
}

async function measure(stage: LongStage): Promise<readonly Row[]> {
  const { url, agentId, operator, owner, platform, history } = stage
  const { from, to, quarantined } = history
  const anyone = (path: string) => get(`${url}/v1/agents/${agentId}/${path}`)
  const past = (i: number) => new Date(from + ((i + 1) * (to - from)) / (ROUNDS + 2)).toISOString()
  const snapshots = (await owner.score.getHistory(agentId, { limit: 100 })).data
  const since = snapshots.at(-1)?.id
  const oldest = (await stage.store.scores.history(agentId, { before: 2, limit: 1 })).rows[0]?.id
  const latest = (await owner.events.list(agentId, { limit: 1 })).data[0]?.id ?? ''
  const anew = () => platform.events.submit(agentId, { type: 'task.completed' })
  const released = (id: string) =>
    operator.operator.review(id, { decision: 'released', reason: 'It is fine.' })
  return [
    await row('score as of a past time', (i) => anyone(`score?at=${past(i)}`)),
    await row('explanation after a new event', () => anyone('score/explanation'), anew),
    await row('explanation since a late snapshot', () =>
      anyone(`score/explanation?since=${since}`),
    ),
    await row('explanation since the first one', () => anyone(`score/explanation?since=${oldest}`)),
    await row('score without the latest event', () =>
      owner.score.explain(agentId, { without: latest }),
    ),
    await row('a report meanwhile', anew),
    await row(
      'release of one of the last thousand',
      () => released(quarantined.late),
      undefined,
      1,
    ),
    await row(
      'score with a quarantined event of the middle',
      () => owner.score.getQuarantined(agentId),
      undefined,
      1,
    ),
    await row('release of one of the middle', () => released(quarantined.middle), undefined, 1),
  ]
}

async function row(
  name: string,
  ask: (i: number) => Promise<unknown>,
  before: () => Promise<unknown> = async () => {},
  rounds = ROUNDS,
): Promise<Row> {
  const tookMs: number[] = []
  for (let i = 0; i < rounds; i++) {
    await before()
    const startedAt = performance.now()
    await ask(i)
    tookMs.push(performance.now() - startedAt)
  }
  tookMs.sort((a, b) => a - b)
  const medianMs = tookMs[Math.floor(rounds / 2)] ?? 0
  return { name, asked: rounds, medianMs, worstMs: tookMs.at(-1) ?? 0 }
}

async function get(url: string): Promise<void> {
  const response = await fetch(url)
  const text = await response.text()
  if (!response.ok) {
    throw new Error(`${url}: ${response.status} ${text}`)
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

await main(process.argv.slice(2))
