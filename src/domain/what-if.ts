/**
 * What the score would be if more happened: how many good events it takes to the next tier, and how
 * many bad ones to the one below. Each answer is found by folding, within bounds, on the evidence as
 * it stands.
 */

import type { EventData, EventType } from './event.ts'
import { type CountedEvent, foldEvents } from './evidence.ts'
import type { Evidence } from './evidence-state.ts'
import type { Model } from './model.ts'
import { scoreAt } from './score.ts'
import { type Classification, classify, TIERS, type Tier } from './tiers.ts'
import { DAY_MS } from './time.ts'

/** The data of a hypothetical event: an ordinary one of its type. */
const HYPOTHETICAL_DATA: Readonly<Partial<Record<EventType, EventData>>> = {
  'payment.completed': { amount: 100, currency: 'USD' },
  'payment.failed': { amount: 100, currency: 'USD' },
  'payment.late': { amount: 100, currency: 'USD', daysLate: 7 },
  'payment.disputed': { amount: 100, currency: 'USD' },
  'uptime.report': { uptimePercentage: 100 },
  'error.reported': { severity: 'high' },
}

/** The ways up that are searched: what an agent can do more of. */
const GOOD: readonly EventType[] = ['task.completed', 'payment.completed', 'credential.issued']

/** The ways down: what goes wrong most often, and what is worst. */
const BAD: readonly EventType[] = [
  'task.failed',
  'task.timeout',
  'payment.failed',
  'payment.disputed',
]

/** Of one kind at once: as many as the hourly cap takes in five hours. */
const AT_ONCE_MAX = 500

/** How many a day are tried, and for how long: an agent that is not there by then has another problem to fix. */
const PER_DAY = [1, 10] as const
const DAYS_MAX = 180

/** An error budget beyond this is plenty. */
const BUDGET_MAX = 200

/** Evidence at a time, and the platform that reports the hypothetical events. */
export interface WhatIf {
  readonly evidence: Evidence
  readonly at: number
  readonly reporter: string
  /** The owner in whose vote they count; null where in that of the platform. */
  readonly voter: string | null
  /** How established that platform is: which determines the weight of the hypothetical events. */
  readonly reporterWeight: number
  /** How much each credential counts that it issues from now on, of types that it has not issued; further ones nothing. */
  readonly credentialShares: readonly number[]
}

export interface Hypothetical {
  readonly type: EventType
  readonly count: number
}

export interface PathToTier {
  readonly type: EventType
  /** All now, or this many a day beginning now. */
  readonly perDay: number | null
  readonly events: number
  readonly days: number
}

export interface NextTier {
  readonly classification: Classification
  readonly min: number
  readonly pointsMissing: number
  /** The shortest first: fewest days, then fewest events. None where no way was found. */
  readonly ways: readonly PathToTier[]
}

export interface Budget {
  readonly classification: Classification
  readonly pointsLeft: number
  /** How many of each, all now, leave the agent in its tier; null where more than the search does. */
  readonly failures: readonly { readonly type: EventType; readonly events: number | null }[]
}

/** More events of one type, after a number of earlier hypothetical ones. */
function hypotheticalEvents(
  { reporter, voter, reporterWeight, credentialShares }: WhatIf,
  { type, count }: Hypothetical,
  { at, after = 0 }: { readonly at: number; readonly after?: number },
): readonly CountedEvent[] {
  const event = {
    type,
    data: HYPOTHETICAL_DATA[type] ?? {},
    reporter,
    voter,
    self: false,
    reporterWeight,
    at,
  }
  const share = (index: number) =>
    type === 'credential.issued' ? (credentialShares[after + index] ?? 0) : 1
  return Array.from({ length: count }, (_, index) => ({ ...event, share: share(index) }))
}

/** The score after some more events of one type, all of them now. */
export function scoreAfter(model: Model, whatIf: WhatIf, asked: Hypothetical): number {
  const { evidence, at } = whatIf
  return scoreAt(model, foldEvents(model, evidence, hypotheticalEvents(whatIf, asked, { at })), at)
    .score
}

/**
 * The least count, 1 to `max`, at which a thing holds that holds for every greater one too; null
 * where it never does. More good events never lower a score, more bad ones never raise it.
 */
function leastCount(max: number, holds: (count: number) => boolean): number | null {
  if (!holds(max)) {
    return null
  }
  let [low, high] = [1, max]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) {
      high = middle
    } else {
      low = middle + 1
    }
  }
  return high
}

/** What separates it from the next tier; null at the top. */
export function nextTier(model: Model, whatIf: WhatIf): NextTier | null {
  const { score } = scoreAt(model, whatIf.evidence, whatIf.at)
  const above = TIERS.findLast(({ min }) => min > score)
  if (!above) {
    return null
  }
  const ways = GOOD.flatMap((type) => [
    ...waysOf(atOnce(model, whatIf, type, above)),
    ...PER_DAY.flatMap((perDay) => waysOf(daily(model, whatIf, { type, perDay }, above))),
  ])
  ways.sort((a, b) => a.days - b.days || a.events - b.events)
  const { label: classification, min } = above
  return { classification, min, pointsMissing: min - score, ways }
}

function waysOf(way: PathToTier | null): readonly PathToTier[] {
  return way ? [way] : []
}

function atOnce(model: Model, whatIf: WhatIf, type: EventType, { min }: Tier): PathToTier | null {
  const events = leastCount(
    AT_ONCE_MAX,
    (count) => scoreAfter(model, whatIf, { type, count }) >= min,
  )
  return events === null ? null : { type, perDay: null, events, days: 0 }
}

function daily(
  model: Model,
  whatIf: WhatIf,
  { type, perDay }: { readonly type: EventType; readonly perDay: number },
  { min }: Tier,
): PathToTier | null {
  let { evidence } = whatIf
  for (let day = 0; day <= DAYS_MAX; day++) {
    const at = whatIf.at + day * DAY_MS
    const today = hypotheticalEvents(whatIf, { type, count: perDay }, { at, after: day * perDay })
    evidence = foldEvents(model, evidence, today)
    if (scoreAt(model, evidence, at).score < min) {
      continue
    }
    return { type, perDay, events: (day + 1) * perDay, days: day }
  }
  return null
}

/** What may still go wrong before it falls out of its tier; null at the bottom. */
export function errorBudget(model: Model, whatIf: WhatIf): Budget | null {
  const { score } = scoreAt(model, whatIf.evidence, whatIf.at)
  const tier = TIERS.find(({ label }) => label === classify(score))
  if (!tier || tier.min === 0) {
    return null
  }
  return {
    classification: tier.label,
    pointsLeft: score - tier.min,
    failures: BAD.map((type) => ({ type, events: failuresLeft(model, whatIf, type, tier) })),
  }
}

function failuresLeft(model: Model, whatIf: WhatIf, type: EventType, { min }: Tier): number | null {
  const fatal = leastCount(BUDGET_MAX, (count) => scoreAfter(model, whatIf, { type, count }) < min)
  return fatal === null ? null : fatal - 1
}
