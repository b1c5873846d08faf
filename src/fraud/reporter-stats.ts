/** What is remembered of a platform as a reporter: a few sums, however much it reports. */
export interface ReporterStats {
  /** Events received, the quarantined ones among them. */
  readonly events: number
  readonly quarantined: number
  /** What reviews decided on the quarantined ones. */
  readonly released: number
  readonly upheld: number
  /**
   * How often it had 1, 2, 4, 8… events about one agent in a day, of the agents whose profiles list it apart
   * (`KnownReporter`): nothing counts the days of the others.
   */
  readonly reached: readonly number[]
  /** Reports that counted for the score of another owner's agent. */
  readonly counted: number
  /** The days of the first and the last of them, since 1970; −1 before the first. */
  readonly firstDay: number
  readonly lastDay: number
  /** Days with such a report. */
  readonly activeDays: number
  /** Days of its agents that began with a good comparable report (`isComparable`), and with a bad one. */
  readonly goodAgentDays: number
  readonly badAgentDays: number
  /** How it compares with other reporters, for each owner it reported on; the latest ones. */
  readonly owners: readonly OwnerRecord[]
}

/** What a platform reported about an owner's agents. */
export interface OwnerRecord {
  readonly owner: string
  readonly good: number
  readonly bad: number
  /** Days on which it agreed with the other reporters, and on which it did not. */
  readonly agreedDays: number
  readonly disputedDays: number
  readonly lastDay: number
}

export const NO_REPORTS: ReporterStats = {
  events: 0,
  quarantined: 0,
  released: 0,
  upheld: 0,
  reached: [],
  counted: 0,
  firstDay: -1,
  lastDay: -1,
  activeDays: 0,
  goodAgentDays: 0,
  badAgentDays: 0,
  owners: [],
}

/** The form that is written to; all other code has ReporterStats. */
export type MutableReporterStats = {
  -readonly [K in Exclude<keyof ReporterStats, 'reached' | 'owners'>]: ReporterStats[K]
} & {
  reached: number[]
  /** A record is replaced, not written to: its copies share it. */
  owners: OwnerRecord[]
}

export function copyOfStats(stats: ReporterStats): MutableReporterStats {
  return { ...stats, reached: stats.reached.slice(), owners: stats.owners.slice() }
}

interface CountedReport {
  /** How many reports about its agent there were today, with this one; null where that is not known. */
  readonly today: number | null
  readonly isQuarantined: boolean
}

export function addReport(
  stats: MutableReporterStats,
  { today, isQuarantined }: CountedReport,
): void {
  stats.events += 1
  stats.quarantined += isQuarantined ? 1 : 0
  const isPowerOfTwo = today !== null && (today & (today - 1)) === 0
  if (isPowerOfTwo) {
    addReached(stats.reached, octaveOf(today))
  }
}

/** Adds a report that counts, about another owner's agent. */
export function addCounted(stats: MutableReporterStats, day: number): void {
  stats.counted += 1
  if (stats.firstDay < 0) {
    stats.firstDay = day
  }
  // An imported past brings earlier days: these make no platform established sooner.
  if (day > stats.lastDay) {
    stats.lastDay = day
    stats.activeDays += 1
  }
}

/** The place in `reached` of the greatest power of two up to a count, which is a whole number from 1 to 2^31. */
export function octaveOf(count: number): number {
  return 31 - Math.clz32(count)
}

function addReached(reached: number[], doublings: number): void {
  while (reached.length <= doublings) {
    reached.push(0)
  }
  reached[doublings] = (reached[doublings] ?? 0) + 1
}

/** The statistics after a review of one of its events: `previous` is a decision it replaces. */
export function addDecision(
  stats: ReporterStats,
  decision: 'released' | 'upheld',
  previous: 'released' | 'upheld' | null,
): ReporterStats {
  const step = (name: 'released' | 'upheld') =>
    Math.max(0, stats[name] + (decision === name ? 1 : 0) - (previous === name ? 1 : 0))
  return { ...stats, released: step('released'), upheld: step('upheld') }
}

/** The share of its reports that no review upheld the quarantine of, 0 to 1; 1 without reports. */
export function agreementOf({ events, upheld }: ReporterStats): number {
  if (events === 0) {
    return 1
  }
  return Math.max(0, 1 - upheld / Math.max(events, upheld))
}

/** Fewer upheld reports than this may be mistakes. */
const UPHELD_MIN = 10

/** A platform that at most one report in twenty is upheld against keeps its full share. */
const AGREEMENT_FULL = 0.95

/**
 * How much of the platform's next event counts after what reviews decided, 0 to 1. It is recorded
 * with the event, so that a replay of the log gives the same score after later decisions.
 */
export function shareAfterReviews(stats: ReporterStats): number {
  const agreement = agreementOf(stats)
  if (stats.upheld < UPHELD_MIN || agreement >= AGREEMENT_FULL) {
    return 1
  }
  return Math.round(agreement * 1000) / 1000
}

export function encodeStats(stats: ReporterStats): string {
  return JSON.stringify(stats)
}

export function decodeStats(text: string): ReporterStats {
  return { ...NO_REPORTS, ...(JSON.parse(text) as Partial<ReporterStats>) }
}
