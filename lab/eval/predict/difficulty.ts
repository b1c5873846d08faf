/**
 * Whether the difficulty that is learnt helps where agents are known by chosen tasks: by mostly easy or by
 * mostly hard ones. SWE-bench's tasks, through the ingest of the service.
 */

import { auc, type Prediction, spearman } from '../../../cli/src/replay/predictions.ts'
import { assess } from '../../../src/domain/assess.ts'
import type { EventData } from '../../../src/domain/event.ts'
import { MODEL } from '../../../src/domain/model.ts'
import { type Chance, chanceOf } from '../../../src/domain/testing/chance.ts'
import { groupBy } from '../../../src/lib/group-by.ts'
import { figure, type Titled } from '../../report.ts'
import { median } from '../../statistics.ts'
import { newIngest } from '../ingest.ts'
import type { TaskLine } from './classes.ts'

/** Which tasks an agent is known by: the odds at which a task of each level, 1 to 3, is among them. */
type Odds = readonly [easy: number, medium: number, hard: number]

interface Choice {
  readonly label: string
  /** By the number of the agent, and whether it is among the better half. */
  readonly oddsOf: (agent: number, isBetter: boolean) => Odds
}

const EASY: Odds = [8, 1, 0.5]
const HARD: Odds = [0.5, 1, 8]

const CHOICES: readonly Choice[] = [
  { label: 'at random', oddsOf: () => [1, 1, 1] },
  { label: 'every second agent easy, the others hard ones', oddsOf: (i) => (i % 2 ? EASY : HARD) },
  {
    label: 'the weaker half easy, the better half hard ones',
    oddsOf: (_, isBetter) => (isBetter ? HARD : EASY),
  },
]

/** Tasks that are known of each agent; and seeds, of which the mean is shown. */
const LENGTHS = [50, 150] as const
const SEEDS = [1, 2, 3]

export interface DifficultyRow {
  readonly choice: string
  readonly n: number
  /** Of telling good later tasks from bad ones: by the share of good ones, by the score without and with
   *  difficulty named. */
  readonly auc: Triple
  /** With the share of all 500 tasks that the agent solves. */
  readonly spearman: Triple
}

type Triple = readonly [ratio: number, without: number, named: number]

interface Known {
  readonly lines: readonly TaskLine[]
  readonly chosen: readonly TaskLine[]
  readonly ability: number
}

export function difficultyRows(lines: readonly TaskLine[]): readonly DifficultyRow[] {
  const agents = [...groupBy(lines, ({ agent }) => agent).values()]
  return CHOICES.flatMap((choice) =>
    LENGTHS.map((n): DifficultyRow => {
      const runs = SEEDS.map((seed) => run(agents, choice, n, chanceOf(seed)))
      const mean = (of: (run: Measured) => Triple, i: 0 | 1 | 2) =>
        runs.reduce((sum, one) => sum + of(one)[i], 0) / runs.length
      const means = (of: (run: Measured) => Triple): Triple => [
        mean(of, 0),
        mean(of, 1),
        mean(of, 2),
      ]
      return {
        choice: choice.label,
        n,
        auc: means((one) => one.auc),
        spearman: means((one) => one.spearman),
      }
    }),
  )
}

type Measured = Pick<DifficultyRow, 'auc' | 'spearman'>

function run(
  agents: readonly (readonly TaskLine[])[],
  { oddsOf }: Choice,
  n: number,
  chance: Chance,
): Measured {
  const abilities = agents.map(shareOf)
  const middle = median(abilities)
  const known = agents.map((lines, i): Known => {
    const ability = abilities[i] ?? 0
    const odds = oddsOf(i, ability >= middle)
    return { lines, chosen: drawn(lines, odds, n, chance), ability }
  })
  const values = [
    known.map(({ chosen }) => shareOf(chosen)),
    scoresOf(known, chance, () => ({})),
    scoresOf(known, chance, ({ data }) => ({ difficulty: data.difficulty })),
  ]
  const measured = values.map((of) => qualityOf(known, of))
  return {
    auc: tripleOf(measured.map((one) => one.auc)),
    spearman: tripleOf(measured.map((one) => one.spearman)),
  }
}

function tripleOf([ratio = 0, without = 0, named = 0]: readonly number[]): Triple {
  return [ratio, without, named]
}

function shareOf(lines: readonly TaskLine[]): number {
  return lines.filter(({ type }) => type === 'task.completed').length / lines.length
}

/** Without replacement, each task by its odds: the first of as many exponential times. */
function drawn(
  lines: readonly TaskLine[],
  odds: Odds,
  n: number,
  chance: Chance,
): readonly TaskLine[] {
  return lines
    .map((line) => ({
      line,
      time: -Math.log(1 - chance()) / (odds[(line.data.difficulty ?? 2) - 1] ?? 1),
    }))
    .sort((a, b) => a.time - b.time)
    .slice(0, n)
    .map(({ line }) => line)
}

/** From one task to the next: all within some weeks. */
const PACE_MS = 120_000
const START = Date.UTC(2026, 0, 1)
const PLATFORM = 'swe-bench'

function shuffled<T>(all: readonly T[], chance: Chance): readonly T[] {
  const keyed = all.map((one) => ({ one, key: chance() }))
  return keyed.sort((a, b) => a.key - b.key).map(({ one }) => one)
}

/** The agents' scores after their tasks, one of each agent in turn, each of an owner of its own. */
function scoresOf(
  known: readonly Known[],
  chance: Chance,
  dataOf: (line: TaskLine) => EventData,
): readonly number[] {
  const ingest = newIngest({ rateLimits: false })
  ingest.verify(PLATFORM)
  for (const i of known.keys()) {
    ingest.register({ id: `agent-${i}`, ownerId: `owner-${i}` }, START)
  }
  const turns = known[0]?.chosen.length ?? 0
  let at = START
  for (let turn = 0; turn < turns; turn++) {
    for (const i of shuffled([...known.keys()], chance)) {
      const line = known[i]?.chosen[turn]
      if (line) {
        at += PACE_MS
        const reporter = { kind: 'platform', id: PLATFORM } as const
        const event = { type: line.type, data: dataOf(line) }
        ingest.report(
          {
            agentId: `agent-${i}`,
            reporter,
            reporterOwnerId: null,
            reporterVerified: true,
            attestation: 'none',
            events: [event],
          },
          at,
        )
      }
    }
  }
  return known.map((_, i) => {
    const state = ingest.agentState(`agent-${i}`)
    return state ? assess(MODEL, state.evidence, at).whole : 0
  })
}

function qualityOf(known: readonly Known[], values: readonly number[]) {
  const later = known.map(({ lines, chosen }, i): Prediction => {
    const seen = new Set(chosen)
    const rest = lines.filter((line) => !seen.has(line))
    const good = rest.filter(({ type }) => type === 'task.completed').length
    return { value: values[i] ?? 0, good, bad: rest.length - good }
  })
  const able = known.map(({ ability }, i): Prediction => {
    const good = Math.round(500 * ability)
    return { value: values[i] ?? 0, good, bad: 500 - good }
  })
  return { auc: auc(later) ?? Number.NaN, spearman: spearman(able) ?? Number.NaN }
}

export function difficultyTable(rows: readonly DifficultyRow[]): Titled {
  const cells = (values: Triple) => values.map((value) => figure(value))
  return {
    title: 'Agents known by chosen tasks: share of good ones, score, score with difficulty named',
    table: {
      head: [
        'tasks known of each agent',
        'n',
        'AUC: share of good ones',
        'score',
        '**score with difficulty**',
        'Spearman: share of good ones',
        'score',
        '**score with difficulty**',
      ],
      rows: rows.map(({ choice, n, auc, spearman }) => [
        choice,
        String(n),
        ...cells(auc),
        ...cells(spearman),
      ]),
    },
  }
}
