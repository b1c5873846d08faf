import { RULES, type RuleSetting, type RuleSettings } from '../../src/fraud/rules.ts'
import {
  createSimulation,
  type SimulatedEvent,
  type Simulation,
} from '../../src/ingest/testing/simulation.ts'
import { checkDataFolder, readOptions } from '../options.ts'
import { type Attack, attacks } from './attacks.ts'
import { honestStreams } from './honest.ts'
import { resultsTo } from './results.ts'
import { percent, tableText } from './table.ts'

const USAGE = `npm run eval:fraud -- [--data FOLDER] [--json [FILE]]

Measures the anti-fraud rules: what they quarantine of real, honest streams and of simulated attacks, each
rule by itself, and what is missing without it.`

const values = readOptions(USAGE, {
  data: 'data',
  json: null,
})

checkDataFolder(values.data)

const { say, finish } = resultsTo(values.json)

/** At most this share of honest events may be quarantined; at least this share of an attack's events
 *  must be, or do no harm. */
const HONEST_MAX = 0.005
const ATTACK_MIN = 0.9

interface Row {
  readonly stream: string
  /** A rule's id, `all` for any that quarantines, or `quarantined or harmless`. */
  readonly rule: string
  readonly events: number
  readonly quarantined: number
  readonly rate: number
}

/** How often each rule found something, and how many events were quarantined. */
interface Count {
  readonly events: number
  quarantined: number
  /** By rule, in any mode. */
  readonly found: Map<string, number>
}

function countIn(events: number): Count {
  return { events, quarantined: 0, found: new Map() }
}

function note(count: Count, { isQuarantined, findings }: ReturnType<Report>): void {
  if (isQuarantined) {
    count.quarantined += 1
  }
  for (const { rule } of findings) {
    count.found.set(rule, (count.found.get(rule) ?? 0) + 1)
  }
}

type Report = Simulation['report']

function run(events: readonly SimulatedEvent[]): Count {
  const simulation = createSimulation()
  const count = countIn(events.length)
  for (const event of events) {
    note(count, simulation.report(event))
  }
  return count
}

interface AttackResult {
  readonly attack: Attack
  readonly count: Count
  readonly isHarmless: boolean
}

function attackUnder(attack: Attack, settings: RuleSettings): AttackResult {
  const [before, after] = [createSimulation(settings), createSimulation(settings)]
  for (const event of attack.before ?? []) {
    for (const simulation of [before, after]) {
      simulation.report(event)
    }
  }
  const count = countIn(attack.events.length)
  for (const event of attack.events) {
    note(count, after.report(event))
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

/** Events quarantined, and those of attacks that did no harm. */
const safeIn = ({ count, isHarmless }: AttackResult) =>
  isHarmless ? count.events : count.quarantined

function rowsOf(stream: string, counts: readonly Count[]): readonly Row[] {
  const events = sum(counts, (one) => one.events)
  const row = (rule: string, quarantined: number): Row => ({
    stream,
    rule,
    events,
    quarantined,
    rate: events === 0 ? 0 : quarantined / events,
  })
  return [
    row(
      'all',
      sum(counts, (one) => one.quarantined),
    ),
    ...RULES.map(({ id }) =>
      row(
        id,
        sum(counts, (one) => one.found.get(id) ?? 0),
      ),
    ),
  ]
}

/** Of an attack: its events that were quarantined or did no harm. */
function safeRow(stream: string, group: readonly AttackResult[]): Row {
  const events = sum(group, ({ count }) => count.events)
  const quarantined = sum(group, safeIn)
  return {
    stream,
    rule: 'quarantined or harmless',
    events,
    quarantined,
    rate: quarantined / events,
  }
}

const rows: Row[] = []

const honest = honestStreams(values.data).map(({ name, events }) => ({ name, count: run(events) }))
for (const { name, count } of honest) {
  rows.push(...rowsOf(name, [count]))
}
say(
  tableText(
    `Honest streams: at most ${percent(HONEST_MAX)} may be quarantined`,
    ['stream', 'events', 'quarantined', 'rate', 'found by'],
    honest.map(({ name, count }) => [
      name,
      count.events,
      count.quarantined,
      percent(count.quarantined / count.events),
      [...count.found].map(([rule, found]) => `${rule} ${found}`).join(', '),
    ]),
  ),
)

const all = attacks()
const results = all.map((attack) => attackUnder(attack, new Map()))
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
say(
  tableText(
    `Attacks: at least ${percent(ATTACK_MIN)} of the events must be quarantined or do no harm`,
    [
      'attack',
      'streams',
      'events',
      'quarantined',
      'harmless streams',
      'quarantined or harmless',
      'bound',
    ],
    groups.map(([name, group]) => {
      const events = sum(group, ({ count }) => count.events)
      return [
        name,
        group.length,
        events,
        percent(sum(group, ({ count }) => count.quarantined) / events),
        sum(group, ({ isHarmless }) => (isHarmless ? 1 : 0)),
        percent(sum(group, safeIn) / events),
        group[0]?.attack.bound ?? '',
      ]
    }),
  ),
)

const honestEvents = sum(honest, ({ count }) => count.events)
const attackEvents = sum(results, ({ count }) => count.events)
const quarantinedOf = (some: readonly AttackResult[]) => sum(some, ({ count }) => count.quarantined)
const safe = sum(results, safeIn)
say(
  tableText(
    'Each rule, and what is missing without it',
    [
      'rule',
      'mode',
      'honest',
      'attacks',
      'precision',
      'recall',
      'quarantined without it',
      'safe without it',
    ],
    RULES.map(({ id, mode, threshold }) => {
      const of = (counts: readonly Count[]) => sum(counts, (one) => one.found.get(id) ?? 0)
      const wrong = of(honest.map(({ count }) => count))
      const right = of(results.map(({ count }) => count))
      const off: RuleSetting = { mode: 'off', threshold: threshold?.value ?? 0 }
      // Only attacks that the rule had a part in can come out otherwise without it.
      const without = results.map((result) =>
        result.count.found.has(id) ? attackUnder(result.attack, new Map([[id, off]])) : result,
      )
      return [
        id,
        mode,
        wrong,
        right,
        wrong + right === 0 ? '–' : percent(right / (wrong + right)),
        percent(right / attackEvents),
        percent((quarantinedOf(without) - quarantinedOf(results)) / attackEvents),
        percent((sum(without, safeIn) - safe) / attackEvents),
      ]
    }),
  ),
)

const worst = Math.max(...honest.map(({ count }) => count.quarantined / count.events))
const least = Math.min(
  ...groups.map(([, group]) => sum(group, safeIn) / sum(group, ({ count }) => count.events)),
)
const honestQuarantined = sum(honest, ({ count }) => count.quarantined)
say(
  `\nHonest events quarantined: ${percent(honestQuarantined / honestEvents)} of ${honestEvents}, at worst ${percent(worst)} of a stream.\n` +
    `Attack events quarantined or harmless: ${percent(safe / attackEvents)} of ${attackEvents}, at worst ${percent(least)} of an attack.\n`,
)
finish(rows)
if (worst > HONEST_MAX || least < ATTACK_MIN) {
  process.stderr.write('The rules miss their bounds.\n')
  process.exitCode = 1
}
