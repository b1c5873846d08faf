import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { RULES, type RuleSetting, type RuleSettings } from '../../src/fraud/rules.ts'
import type { SimulatedEvent } from '../../src/fraud/testing/harness.ts'
import { type Attack, attacks } from './attacks.ts'
import { honestStreams } from './honest.ts'
import { createTown } from './in-memory-ingest.ts'
import { percent, printTable } from './table.ts'

/**
 * Measures the anti-fraud rules: what they hold of real, honest streams, and what of simulated
 * attacks; each rule by itself, and what is missing without it.
 */
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    json: { type: 'string' },
  },
})

/** What the product is held to: at most so many honest events, at least so many of the attacks'. */
const HONEST_MAX = 0.005
const ATTACK_MIN = 0.9

interface Row {
  readonly stream: string
  /** A rule's id, `all` for any that holds, or `held or harmless`. */
  readonly rule: string
  readonly events: number
  readonly held: number
  readonly rate: number
}

/** How often each rule held, and how often any did. */
interface Count {
  readonly events: number
  held: number
  /** By rule, in whatever mode. */
  readonly found: Map<string, number>
}

function countIn(events: number): Count {
  return { events, held: 0, found: new Map() }
}

function note(count: Count, { isQuarantined, findings }: ReturnType<Report>): void {
  if (isQuarantined) {
    count.held += 1
  }
  for (const { rule } of findings) {
    count.found.set(rule, (count.found.get(rule) ?? 0) + 1)
  }
}

type Report = ReturnType<typeof createTown>['report']

function hold(events: readonly SimulatedEvent[]): Count {
  const town = createTown(new Map())
  const count = countIn(events.length)
  for (const told of events) {
    note(count, town.report(told))
  }
  return count
}

interface AttackResult {
  readonly attack: Attack
  readonly count: Count
  readonly isHarmless: boolean
}

function assault(attack: Attack, settings: RuleSettings): AttackResult {
  const [before, after] = [createTown(settings), createTown(settings)]
  for (const told of attack.before ?? []) {
    for (const town of [before, after]) {
      town.report(told)
    }
  }
  const count = countIn(attack.events.length)
  for (const told of attack.events) {
    note(count, after.report(told))
  }
  return { attack, count, isHarmless: attack.isHarmless({ before, after }) }
}

/** Streams of one kind of evasion make one line. */
function byName(results: readonly AttackResult[]): ReadonlyMap<string, readonly AttackResult[]> {
  const groups = new Map<string, AttackResult[]>()
  for (const result of results) {
    const group = groups.get(result.attack.name) ?? []
    groups.set(result.attack.name, [...group, result])
  }
  return groups
}

const sum = <T>(all: readonly T[], of: (one: T) => number) =>
  all.reduce((total, one) => total + of(one), 0)

/** Events held, and those of attacks that did no harm. */
const safeIn = ({ count, isHarmless }: AttackResult) => (isHarmless ? count.events : count.held)

function rowsOf(stream: string, counts: readonly Count[]): readonly Row[] {
  const events = sum(counts, (one) => one.events)
  const row = (rule: string, held: number): Row => ({
    stream,
    rule,
    events,
    held,
    rate: events === 0 ? 0 : held / events,
  })
  return [
    row(
      'all',
      sum(counts, (one) => one.held),
    ),
    ...RULES.map(({ id }) =>
      row(
        id,
        sum(counts, (one) => one.found.get(id) ?? 0),
      ),
    ),
  ]
}

/** Of an attack: its events that were held or did no harm. */
function safeRow(stream: string, group: readonly AttackResult[]): Row {
  const events = sum(group, ({ count }) => count.events)
  const held = sum(group, safeIn)
  return { stream, rule: 'held or harmless', events, held, rate: held / events }
}

const rows: Row[] = []

const honest = honestStreams(values.data).map(({ name, events }) => ({ name, count: hold(events) }))
for (const { name, count } of honest) {
  rows.push(...rowsOf(name, [count]))
}
printTable(
  `Honest streams: at most ${percent(HONEST_MAX)} may be held`,
  ['stream', 'events', 'held', 'rate', 'found by'],
  honest.map(({ name, count }) => [
    name,
    count.events,
    count.held,
    percent(count.held / count.events),
    [...count.found].map(([rule, found]) => `${rule} ${found}`).join(', '),
  ]),
)

const all = attacks()
const results = all.map((attack) => assault(attack, new Map()))
const groups = [...byName(results)]
for (const [name, group] of groups) {
  rows.push(
    ...rowsOf(
      name,
      group.map(({ count }) => count),
    ),
    safeRow(name, group),
  )
}
printTable(
  `Attacks: at least ${percent(ATTACK_MIN)} of the events must be held or do no harm`,
  ['attack', 'streams', 'events', 'held', 'harmless streams', 'held or harmless', 'bound'],
  groups.map(([name, group]) => {
    const events = sum(group, ({ count }) => count.events)
    return [
      name,
      group.length,
      events,
      percent(sum(group, ({ count }) => count.held) / events),
      sum(group, ({ isHarmless }) => (isHarmless ? 1 : 0)),
      percent(sum(group, safeIn) / events),
      group[0]?.attack.bound ?? '',
    ]
  }),
)

const honestEvents = sum(honest, ({ count }) => count.events)
const attackEvents = sum(results, ({ count }) => count.events)
const heldOf = (some: readonly AttackResult[]) => sum(some, ({ count }) => count.held)
const safe = sum(results, safeIn)
printTable(
  'Each rule, and what is missing without it',
  [
    'rule',
    'mode',
    'honest',
    'attacks',
    'precision',
    'recall',
    'held without it',
    'safe without it',
  ],
  RULES.map(({ id, mode, threshold }) => {
    const of = (counts: readonly Count[]) => sum(counts, (one) => one.found.get(id) ?? 0)
    const wrong = of(honest.map(({ count }) => count))
    const right = of(results.map(({ count }) => count))
    const off: RuleSetting = { mode: 'off', threshold: threshold?.value ?? 0 }
    // Only attacks that the rule had a part in can come out otherwise without it.
    const without = results.map((result) =>
      result.count.found.has(id) ? assault(result.attack, new Map([[id, off]])) : result,
    )
    return [
      id,
      mode,
      wrong,
      right,
      wrong + right === 0 ? '–' : percent(right / (wrong + right)),
      percent(right / attackEvents),
      percent((heldOf(without) - heldOf(results)) / attackEvents),
      percent((sum(without, safeIn) - safe) / attackEvents),
    ]
  }),
)

const worst = Math.max(...honest.map(({ count }) => count.held / count.events))
const least = Math.min(
  ...groups.map(([, group]) => sum(group, safeIn) / sum(group, ({ count }) => count.events)),
)
const honestHeld = sum(honest, ({ count }) => count.held)
process.stdout.write(
  `\nHonest events held: ${percent(honestHeld / honestEvents)} of ${honestEvents}, at worst ${percent(worst)} of a stream.\n` +
    `Attack events held or harmless: ${percent(safe / attackEvents)} of ${attackEvents}, at worst ${percent(least)} of an attack.\n`,
)
if (values.json) {
  writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`)
}
if (worst > HONEST_MAX || least < ATTACK_MIN) {
  process.stderr.write('This is not what the rules are held to.\n')
  process.exitCode = 1
}
