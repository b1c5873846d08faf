/**
 * Whether every generated case is tried, as `.ci/run` has it. `npm test` tries a part of each kind: the
 * facts are the same, and a change is known to be wrong in a fraction of the time.
 */
const isEvery = process.env.TEST_CASES === 'all'

/** What `npm test` tries of them: one of ten that are drawn, one of eight that are listed. */
const DRAWN_PART = 10
const LISTED_PART = 8

/** How many cases to draw, of so many that a property is tried with; at least as many as the test needs. */
export function drawn(count: number, least = 1): number {
  return isEvery ? count : Math.max(least, Math.ceil(count / DRAWN_PART))
}

/** Of a list of cases: all, or every eighth. Lists that are alike begin with different ones. */
export function someOf<T>(cases: readonly T[], from = 0): readonly T[] {
  return isEvery ? cases : cases.filter((_, i) => (i + from) % LISTED_PART === 0)
}
