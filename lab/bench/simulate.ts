import { Readable } from 'node:stream'
import { simulate } from '../../cli/src/simulate/run.ts'
import { DEFAULT_SETTINGS } from '../../cli/src/simulate/settings.ts'
import { below, type Chance, chanceOf, pick } from '../../src/domain/testing/chance.ts'
import { DAY_MS } from '../../src/domain/time.ts'
import { inParts } from '../../src/lib/parts.ts'
import { readOptions } from '../options.ts'
import { publish } from '../report.ts'

const USAGE = `npm run bench:simulate -- [--events N] [--rounds N] [--page FILE]

Measures how many events a second a simulation decides, on streams of several shapes. It counts the processor
time of all threads, from text to answers, in the best of several rounds. One round before them compiles the
code.`

interface Shape {
  readonly agents: number
  readonly platforms: number
  /** Share of the events with an externalId, and with an occurredAt up to a day before. */
  readonly named: number
  readonly timed: number
  /** Events that come at one time. */
  readonly batch: number
  /** Classes of tasks, and counterparties, that the events name; 0 where they name none. */
  readonly classes: number
  readonly parties: number
  /** Days from the first event to the last. In a few hours most are beyond the limits, and refused. */
  readonly days: number
}

/** Events that say no more than they must. */
const PLAIN = { named: 0, timed: 0, batch: 1, classes: 0, parties: 0, days: 200 }

const SHAPES: readonly Shape[] = [
  { ...PLAIN, agents: 10, platforms: 3 },
  { ...PLAIN, agents: 300, platforms: 3, named: 0.5, timed: 0.3 },
  { ...PLAIN, agents: 300, platforms: 30, named: 0.5, timed: 0.3 },
  { ...PLAIN, agents: 500, platforms: 6, named: 1, timed: 1, batch: 400 },
  { ...PLAIN, agents: 1_000, platforms: 8, named: 0.5, timed: 0.3, classes: 20, parties: 50 },
  { ...PLAIN, agents: 10_000, platforms: 8, named: 0.5, timed: 0.3 },
  { ...PLAIN, agents: 50, platforms: 3, days: 0.1 },
]

const START = Date.UTC(2026, 0, 1)
/** One line of so many asks. */
const LINES_PER_ASK = 200
/** Lines that are given to the simulation together. */
const CHUNK_LINES = 5_000

function textOf(shape: Shape, events: number): readonly string[] {
  const chance = chanceOf(1)
  const platforms = Array.from({ length: shape.platforms }, (_, i) => ({
    platform: `p${i}`,
    verified: true,
  }))
  const lines: object[] = [...platforms]
  for (let i = 0; i < events; i++) {
    const at = START + Math.floor(i / shape.batch) * shape.batch * ((shape.days * DAY_MS) / events)
    lines.push(eventOf(chance, shape, i, at))
    if (i % LINES_PER_ASK === 0) {
      lines.push({ at: iso(at), ask: `a${below(chance, shape.agents)}` })
    }
  }
  return chunksOf(lines.map((line) => JSON.stringify(line)))
}

function eventOf(chance: Chance, shape: Shape, i: number, at: number) {
  const { agents, platforms, named, timed } = shape
  const agent = below(chance, agents)
  const isGood = chance() < 0.95
  return {
    at: iso(at),
    agent: `a${agent}`,
    // Most agents work for a few of the platforms.
    by: `p${(agent + below(chance, 4)) % platforms}`,
    ...(chance() < 0.6 ? taskOf(chance, shape, isGood) : paymentOf(chance, shape, isGood)),
    occurredAt: chance() < timed ? iso(at - below(chance, DAY_MS)) : undefined,
    externalId: chance() < named ? `order-${i}` : undefined,
  }
}

function taskOf(chance: Chance, { classes, parties }: Shape, isGood: boolean) {
  const type = isGood ? 'task.completed' : pick(chance, ['task.failed', 'task.timeout'])
  const duration = 1_000 + below(chance, 100_000)
  const taskClass = oneOf(chance, 'class', classes)
  return { type, data: { duration, taskClass, counterparty: oneOf(chance, 'party', parties) } }
}

function paymentOf(chance: Chance, { parties }: Shape, isGood: boolean) {
  const type = isGood ? 'payment.completed' : pick(chance, ['payment.failed', 'payment.disputed'])
  const currency = pick(chance, ['USD', 'EUR', 'JPY'])
  const amount = below(chance, 20_000) / 100
  return { type, data: { amount, currency, counterparty: oneOf(chance, 'party', parties) } }
}

/** One of so many names; undefined where there are none. */
function oneOf(chance: Chance, name: string, count: number): string | undefined {
  return count === 0 ? undefined : `${name}-${below(chance, count)}`
}

function iso(time: number): string {
  return new Date(time).toISOString()
}

function chunksOf(lines: readonly string[]): readonly string[] {
  return inParts(lines, CHUNK_LINES).map((part) => `${part.join('\n')}\n`)
}

/** Events a second of processor time. */
async function round(chunks: readonly string[], events: number): Promise<number> {
  const begun = process.cpuUsage()
  await simulate({
    file: '-',
    stdin: Readable.from(chunks.map((chunk) => Buffer.from(chunk))),
    settings: DEFAULT_SETTINGS,
    json: true,
    skipsBadLines: false,
    say: () => undefined,
    warn: (line) => void process.stderr.write(`${line}\n`),
  })
  const { user, system } = process.cpuUsage(begun)
  return (1e6 * events) / (user + system)
}

function thousands(perSecond: number): string {
  return `${Math.round(perSecond / 1_000)},000`
}

const values = readOptions(USAGE, { events: 100_000, rounds: 3, page: null })
const rows: string[][] = []
for (const shape of SHAPES) {
  const chunks = textOf(shape, values.events)
  const rates: number[] = []
  for (let i = 0; i <= values.rounds; i++) {
    rates.push(await round(chunks, values.events))
  }
  const { agents, platforms, named, timed, batch, classes, parties, days } = shape
  rows.push([
    agents.toLocaleString('en-US'),
    String(platforms),
    `${100 * named} %`,
    `${100 * timed} %`,
    String(batch),
    String(classes),
    String(parties),
    String(days),
    thousands(Math.max(...rates.slice(1))),
  ])
}
const table = {
  head: [
    'agents',
    'platforms',
    'with `externalId`',
    'with `occurredAt`',
    'at one time',
    'task classes',
    'counterparties',
    'days',
    'events a second',
  ],
  rows,
}
publish(values, { section: 'speed', table })
