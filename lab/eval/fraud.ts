import { RULES, type RuleSetting } from '../../src/fraud/rules.ts'
import { createSimulation } from '../../src/ingest/testing/simulation.ts'
import { groupBy } from '../../src/lib/group-by.ts'
import { checkDataFolder, readOptions } from '../options.ts'
import { percent, plain, resultsTo, type Table } from '../report.ts'
import { attacks } from './fraud/attacks.ts'
import { honestCases } from './fraud/honest-cases.ts'
import { type Honest, honestStreams } from './fraud/honest-streams.ts'
import {
  type Outcome,
  outcomeOf,
  safeEvents,
  safeShare,
  type Tally,
  tallyOf,
  total,
} from './fraud/outcome.ts'

const USAGE = `npm run eval:fraud -- [--data FOLDER] [--json [FILE]]

Measures the anti-fraud rules: what they quarantine of honest streams and of attacks, each rule by itself, and
what is missing without it. The streams are simulated. --data FOLDER adds the real ones of docs/scoring.md.`

/** At most this share of honest events may be quarantined; at least this share of an attack's events
 *  must be, or do no harm. */
const HONEST_MAX = 0
const ATTACK_MIN = 0.9

interface Row {
  readonly stream: string
  /** A rule's id, `all` for any that quarantines, or `quarantined or harmless`. */
  readonly rule: string
  readonly events: number
  readonly quarantined: number
  readonly rate: number
}

interface HonestStream {
  readonly name: string
  readonly tally: Tally
}

const values = readOptions(USAGE, {
  data: null,
  json: null,
})
const { say, finish } = resultsTo(values.json)

const honest = [...realStreams(values.data), ...honestCases()].map(({ name, events }) => ({
  name,
  tally: tallyOf(createSimulation(), events),
}))
sayTable(`Honest streams: at most ${percent(HONEST_MAX)} may be quarantined`, honestTable(honest))

const outcomes = attacks().map((attack) => outcomeOf(attack))
/** Streams of one kind of evasion make one line. */
const kinds = groupBy(outcomes, ({ attack }) => attack.name)
sayTable(
  `Attacks: at least ${percent(ATTACK_MIN)} of the events must be quarantined or do no harm`,
  attackTable(kinds),
)
sayTable('Each rule, and what is missing without it', ruleTable(honest, outcomes))

const honestTotal = total(honest.map(({ tally }) => tally))
const worst = Math.max(...honest.map(({ tally }) => quarantinedShare(tally)))
const least = Math.min(...[...kinds.values()].map(safeShare))
say(
  `\nHonest events quarantined: ${percent(quarantinedShare(honestTotal))} of ${honestTotal.events}, at worst ${percent(worst)} of a stream.\n` +
    `Attack events quarantined or harmless: ${percent(safeShare(outcomes))} of ${totalOf(outcomes).events}, at worst ${percent(least)} of an attack.\n`,
)
finish([
  ...honest.flatMap(({ name, tally }) => rowsOf(name, tally)),
  ...[...kinds].flatMap(([name, kind]) => [...rowsOf(name, totalOf(kind)), safeRow(name, kind)]),
])
if (worst > HONEST_MAX || least < ATTACK_MIN) {
  process.stderr.write('The rules miss their bounds.\n')
  process.exitCode = 1
}

function realStreams(folder: string | null): readonly Honest[] {
  if (folder === null) {
    say('\nOnly simulated streams: --data FOLDER adds real ones.\n')
    return []
  }
  checkDataFolder(folder)
  return honestStreams(folder)
}

function sayTable(title: string, table: Table): void {
  say(`\n${title}\n${plain(table)}\n`)
}

function totalOf(outcomes: readonly Outcome[]): Tally {
  return total(outcomes.map(({ tally }) => tally))
}

function quarantinedShare({ quarantined, events }: Tally): number {
  return quarantined / events
}

function honestTable(streams: readonly HonestStream[]): Table {
  return {
    head: ['stream', 'events', 'quarantined', 'rate', 'found by'],
    rows: streams.map(({ name, tally }) => [
      name,
      String(tally.events),
      String(tally.quarantined),
      percent(quarantinedShare(tally)),
      [...tally.found].map(([rule, found]) => `${rule} ${found}`).join(', '),
    ]),
  }
}

function attackTable(kinds: ReadonlyMap<string, readonly Outcome[]>): Table {
  return {
    head: [
      'attack',
      'streams',
      'events',
      'quarantined',
      'harmless streams',
      'quarantined or harmless',
      'bound',
    ],
    rows: [...kinds].map(([name, kind]) => [
      name,
      String(kind.length),
      String(totalOf(kind).events),
      percent(quarantinedShare(totalOf(kind))),
      String(kind.filter(({ isHarmless }) => isHarmless).length),
      percent(safeShare(kind)),
      kind[0]?.attack.bound ?? '',
    ]),
  }
}

function ruleTable(streams: readonly HonestStream[], outcomes: readonly Outcome[]): Table {
  const honest = total(streams.map(({ tally }) => tally))
  const attacked = totalOf(outcomes)
  return {
    head: [
      'rule',
      'mode',
      'honest',
      'attacks',
      'precision',
      'recall',
      'quarantined without it',
      'safe without it',
    ],
    rows: RULES.map(({ id, mode, threshold }) => {
      const wrong = honest.found.get(id) ?? 0
      const right = attacked.found.get(id) ?? 0
      const off: RuleSetting = { mode: 'off', threshold: threshold?.value ?? 0 }
      // Only attacks that the rule had a part in can come out otherwise without it.
      const without = outcomes.map((outcome) =>
        outcome.tally.found.has(id) ? outcomeOf(outcome.attack, new Map([[id, off]])) : outcome,
      )
      return [
        id,
        mode,
        String(wrong),
        String(right),
        wrong + right === 0 ? '–' : percent(right / (wrong + right)),
        percent(right / attacked.events),
        percent(quarantinedShare(totalOf(without)) - quarantinedShare(attacked)),
        percent(safeShare(without) - safeShare(outcomes)),
      ]
    }),
  }
}

function rowsOf(stream: string, { events, quarantined, found }: Tally): readonly Row[] {
  const row = (rule: string, count: number): Row => ({
    stream,
    rule,
    events,
    quarantined: count,
    rate: events === 0 ? 0 : count / events,
  })
  return [row('all', quarantined), ...RULES.map(({ id }) => row(id, found.get(id) ?? 0))]
}

function safeRow(stream: string, kind: readonly Outcome[]): Row {
  return {
    stream,
    rule: 'quarantined or harmless',
    events: totalOf(kind).events,
    quarantined: safeEvents(kind),
    rate: safeShare(kind),
  }
}
