/** What is remembered of a platform as a reporter: a few sums, however much it reports. */
export interface ReporterStats {
  /** Events accepted, quarantined ones included. */
  readonly events: number
  readonly quarantined: number
  /** What reviews decided on the quarantined ones. */
  readonly released: number
  readonly upheld: number
  /** The owners it reports on most, and how often: the rest cancel each other out (Misra, Gries). */
  readonly owners: readonly OwnerShare[]
  /** How often it had 1, 2, 4, 8… events about one agent in a day. */
  readonly reached: readonly number[]
}

export interface OwnerShare {
  readonly ownerId: string
  readonly count: number
}

export const NO_REPORTS: ReporterStats = {
  events: 0,
  quarantined: 0,
  released: 0,
  upheld: 0,
  owners: [],
  reached: [],
}

/** Four slots find any owner that makes up more than a fifth of the reports. */
const OWNERS_MAX = 4

/** The record after one more report: the `today`th about its agent in a day. */
export function addReport(
  record: ReporterStats,
  report: { readonly ownerId: string; readonly today: number; readonly isQuarantined: boolean },
): ReporterStats {
  return {
    ...record,
    events: record.events + 1,
    quarantined: record.quarantined + (report.isQuarantined ? 1 : 0),
    owners: addOwner(record.owners, report.ownerId),
    reached: addReached(record.reached, report.today),
  }
}

function addOwner(owners: readonly OwnerShare[], ownerId: string): readonly OwnerShare[] {
  if (owners.some((one) => one.ownerId === ownerId)) {
    return owners.map((one) => (one.ownerId === ownerId ? { ...one, count: one.count + 1 } : one))
  }
  if (owners.length < OWNERS_MAX) {
    return [...owners, { ownerId, count: 1 }]
  }
  const less = owners.map((one) => ({ ...one, count: one.count - 1 }))
  return less.filter(({ count }) => count > 0)
}

function addReached(reached: readonly number[], today: number): readonly number[] {
  const doublings = Math.log2(today)
  if (!Number.isInteger(doublings)) {
    return reached
  }
  return Array.from({ length: Math.max(reached.length, doublings + 1) }, (_, i) =>
    i === doublings ? (reached[i] ?? 0) + 1 : (reached[i] ?? 0),
  )
}

/** The record after a review decided on one of its events: `previous` is a decision it replaces. */
export function addDecision(
  record: ReporterStats,
  decision: 'released' | 'upheld',
  previous: 'released' | 'upheld' | null,
): ReporterStats {
  const step = (name: 'released' | 'upheld') =>
    Math.max(0, record[name] + (decision === name ? 1 : 0) - (previous === name ? 1 : 0))
  return { ...record, released: step('released'), upheld: step('upheld') }
}

/** The share of its reports that no review upheld the quarantine of, 0 to 1; 1 without reports. */
export function agreementOf({ events, upheld }: ReporterStats): number {
  if (events === 0) {
    return 1
  }
  return Math.max(0, 1 - upheld / Math.max(events, upheld))
}

/** Fewer upheld reports than this may be slips of anyone. */
const UPHELD_MIN = 10

/** A platform that at most one report in twenty is upheld against keeps its full weight. */
const AGREEMENT_FULL = 0.95

/**
 * What the platform's word weighs, 0 to 1, when its next event is taken in. It is kept with the
 * event, so that folding the log again gives the same score whatever is decided later.
 */
export function trustIn(record: ReporterStats): number {
  const agreement = agreementOf(record)
  if (record.upheld < UPHELD_MIN || agreement >= AGREEMENT_FULL) {
    return 1
  }
  return Math.round(agreement * 1000) / 1000
}

export function encodeRecord(record: ReporterStats): string {
  return JSON.stringify(record)
}

export function decodeRecord(text: string): ReporterStats {
  return { ...NO_REPORTS, ...(JSON.parse(text) as Partial<ReporterStats>) }
}
