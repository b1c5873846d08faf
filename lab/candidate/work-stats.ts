/**
 * How hard a kind of work is, learnt from outcomes: the logarithm of the odds by which it fails more
 * often than the agents that did it are presumed to fail. Each kind keeps one figure and the owners
 * that taught it; what a reporter declares (`difficulty`, `taskClass`) only names the kind.
 */
import { clamp, exp } from '../../src/domain/math.ts'

export interface WorkStats {
  readonly hardness: number
  readonly seen: number
  /** Owners, and how many outcomes each has taught. */
  readonly owners: readonly { readonly owner: string; readonly count: number }[]
}

export const NO_WORK: WorkStats = { hardness: 0, seen: 0, owners: [] }

/** Judgement: four owners may be one, from a dozen on nobody is so many. */
const OWNERS_MIN = 3
const OWNERS_FULL = 12
const OWNERS_MAX = 64
/** An owner's outcomes teach less the more of them there are: so many count half. */
const OWNER_HALF = 20
/** Typical work goes well nine times of ten: what an agent is presumed to do until it is known. */
const TYPICAL_ODDS = 9
const PRESUMED = 10
/** A step in logarithms of odds for the first outcomes, and the least that is learnt later. */
const STEP_FIRST = 0.3
const STEP_MIN = 0.02
const STEP_HALF = 60

/** The kind of work of an event; undefined where nothing names it. */
export function kindOf(data: {
  readonly difficulty?: number | undefined
  readonly taskClass?: string | undefined
}): string | undefined {
  if (data.difficulty === undefined && data.taskClass === undefined) {
    return undefined
  }
  return `${data.taskClass ?? ''}/${data.difficulty ?? 0}`
}

/** What is recorded on the event as `hardness`. */
export function hardnessOf({ hardness, owners }: WorkStats, hardnessMax: number): number {
  const trusted = clamp((owners.length - OWNERS_MIN) / (OWNERS_FULL - OWNERS_MIN), 0, 1)
  return Math.round(1000 * clamp(hardness * trusted, -hardnessMax, hardnessMax)) / 1000
}

/** After one more outcome, by an agent with so many good and bad observations of work before. */
export function withOutcome(
  stats: WorkStats,
  outcome: {
    readonly owner: string
    readonly good: boolean
    readonly agentGood: number
    readonly agentBad: number
  },
): WorkStats {
  const { owner, good, agentGood, agentBad } = outcome
  const known = stats.owners.find((one) => one.owner === owner)
  if (!known && stats.owners.length >= OWNERS_MAX) {
    return stats
  }
  const odds =
    (agentGood + (PRESUMED * TYPICAL_ODDS) / (1 + TYPICAL_ODDS)) /
    (agentBad + PRESUMED / (1 + TYPICAL_ODDS))
  const expected = odds / (odds + exp(stats.hardness))
  const count = known?.count ?? 0
  const step =
    Math.max(STEP_MIN, STEP_FIRST / (1 + stats.seen / STEP_HALF)) / (1 + count / OWNER_HALF)
  return {
    hardness: clamp(stats.hardness + step * (expected - (good ? 1 : 0)), -6, 6),
    seen: stats.seen + 1,
    owners: known
      ? stats.owners.map((one) => (one === known ? { owner, count: count + 1 } : one))
      : [...stats.owners, { owner, count: 1 }],
  }
}
