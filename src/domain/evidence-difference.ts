/**
 * How two accounts of one agent differ that have become the same except for their counts. Sums are kept in
 * single precision and decay, so a difference in the past is rounded away; a count never is.
 */

import { isSameBytes } from './bytes.ts'
import { encodeTotals } from './evidence-codec.ts'
import type { Evidence, Outcomes } from './evidence-state.ts'
import type { OutcomeCounts } from './outcome-counts.ts'
import type { Source } from './source.ts'

/** Fields that count events. */
const COUNT_FIELDS = {
  reliabilityCount: true,
  financialCount: true,
  identityCount: true,
  importedCount: true,
  selfCount: true,
  handoverCount: true,
} as const satisfies Partial<Record<keyof Evidence, true>>

type Count = keyof typeof COUNT_FIELDS

/** Fields that are compared part by part. */
type Composed = 'crowd' | 'self' | 'sources' | 'outcomeCounts'

/**
 * Neither counts nor sums: what the score of every later time depends on. The type asks for every field, so that
 * one that is added to the evidence is not forgotten here.
 */
const STATE_FIELDS = {
  registeredAt: true,
  initialCeiling: true,
  at: true,
  firstDay: true,
  activeDays: true,
  activeToday: true,
  carriedCount: true,
  formerDays: true,
  ceiling: true,
  parentCeiling: true,
  verified: true,
  claimed: true,
  revoked: true,
  withdrawn: true,
} as const satisfies Record<Exclude<keyof Evidence, Count | Composed>, true>

const COUNTS = Object.keys(COUNT_FIELDS) as readonly Count[]
const STATE = Object.keys(STATE_FIELDS) as readonly (keyof typeof STATE_FIELDS)[]

/** What one has more of than the other. */
export interface CountDifference extends Readonly<Record<Count, number>> {
  readonly outcomes: Readonly<
    Record<keyof Outcomes, { readonly good: number; readonly bad: number }>
  >
}

/** Of the latest few outcomes of two accounts, as far as they may lie apart: the forecast is rounded to 1e-4. */
const RECENT_APART_MAX = 1e-9

/**
 * What `other` has more of than `one`, if the same events added to both lead to the same scores for ever;
 * null where they may not. Classes of work, and how steady the forecast is, are not compared.
 */
export function countDifference(one: Evidence, other: Evidence): CountDifference | null {
  const isSame =
    STATE.every((name) => one[name] === other[name]) &&
    one.sources.length === other.sources.length &&
    one.sources.every((source, i) => isSameSource(source, other.sources[i])) &&
    isSameSource(one.crowd, other.crowd) &&
    isSameSource(one.self, other.self)
  const [a, b] = [one.outcomeCounts, other.outcomeCounts]
  if (!isSame || !KINDS.every((kind) => isSameOfLate(a[kind], b[kind]))) {
    return null
  }
  const counts = COUNTS.map((name) => [name, other[name] - one[name]])
  const outcomes = KINDS.map((kind) => [
    kind,
    { good: b[kind].good - a[kind].good, bad: b[kind].bad - a[kind].bad },
  ])
  return { ...Object.fromEntries(counts), outcomes: Object.fromEntries(outcomes) }
}

/** The evidence with so much more counted. */
export function withDifference(evidence: Evidence, difference: CountDifference): Evidence {
  const { outcomeCounts } = evidence
  const counts = COUNTS.map((name) => [name, evidence[name] + difference[name]])
  const outcomes = KINDS.map((kind) => {
    const { good, bad } = difference.outcomes[kind]
    const before = outcomeCounts[kind]
    return [kind, { ...before, good: before.good + good, bad: before.bad + bad }]
  })
  return { ...evidence, ...Object.fromEntries(counts), outcomeCounts: Object.fromEntries(outcomes) }
}

const KINDS = ['tasks', 'upkeep', 'payments'] as const

function isSameSource(one: Source, other: Source | undefined): boolean {
  return other !== undefined && isSameBytes(encodeTotals(one), encodeTotals(other))
}

function isSameOfLate(one: OutcomeCounts, other: OutcomeCounts): boolean {
  return (
    Math.abs(one.recentGood - other.recentGood) < RECENT_APART_MAX &&
    Math.abs(one.recentBad - other.recentBad) < RECENT_APART_MAX
  )
}
