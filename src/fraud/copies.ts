/** Which events may be copies of earlier ones, by their figures and times, and how much of each counts. */
import { isPayment } from '../domain/event.ts'
import { DAY_MS, dayOf } from '../domain/time.ts'
import { ofLatest, shapeOf } from './digest.ts'
import { type BehaviourProfile, knownReporter, type MutableProfile } from './profile.ts'
import type { InspectedEvent } from './rule.ts'
import { hasStatedTime, isTimed } from './times.ts'

/** Events of one day whose stated times are within so much of each other are near. */
const NEAR_MS = 10_000

/**
 * The time by which events with the same figures may be copies: the stated one, or the day of receipt for those
 * without a time and a name. Null for one that has only a name, or no figure that does not come about twice by chance.
 * At exactly one time any figure will do, and so do none: a reporter may give all events of a nightly batch its time.
 */
const copyTimeOf = ofLatest((event): number | null => {
  const hasTime = hasStatedTime(event)
  if (isDetailed(event) && hasTime) {
    return event.occurredAt
  }
  if (event.externalId !== null) {
    return null
  }
  if (isDetailed(event)) {
    return dayOf(event.at) * DAY_MS
  }
  return hasTime && (hasFigures(event) || (isTimed(event) && !isDistinct(event)))
    ? event.occurredAt
    : null
})

/** Whether anything is said that tells an event from others of its type. Deals of one class are many. */
export function isDistinct(event: InspectedEvent): boolean {
  const { externalId, data } = event
  return (
    externalId !== null ||
    hasFigures(event) ||
    data.credentialId !== undefined ||
    data.credentialType !== undefined ||
    data.uptimePercentage !== undefined
  )
}

function hasFigures({ data }: InspectedEvent): boolean {
  const { amount, duration, responseTimeMs } = data
  return amount !== undefined || duration !== undefined || responseTimeMs !== undefined
}

/** How many events that may be copies of this one came before it on the same day, each near the one before. */
export function copiesBefore(profile: BehaviourProfile, event: InspectedEvent): number {
  return copiesOf(profile, event)?.count ?? 0
}

/**
 * How much of an event counts, 0 to 1, after those that it may be a copy of: the nth counts 1/n. A thousand copies
 * count as seven and a half events. Good and bad ones are counted together, so that an agent with one price keeps
 * the rate that it has. Where bad ones come after good ones day by day, they would count less than their part: once
 * they are owed more than two events, they count what they are owed beyond it.
 */
export function copyShare(profile: BehaviourProfile, event: InspectedEvent): number {
  const before = copiesOf(profile, event)
  return before === null ? 1 : shareAfter(before, profile, event)
}

/** Events with the same figures that came near each other on one day. */
interface Copies {
  /** The time last given for one. */
  readonly time: number
  readonly count: number
  readonly bad: number
  /** As how many events the good ones counted, and the bad ones; 0 for reports of the own side. */
  readonly goodCounted: number
  readonly badCounted: number
  /** What bad ones of the days before are owed. */
  readonly owedBefore: number
  /** As how much of an event a good one counted on the last day before that had any; 1 where none had, 0 for the own side. */
  readonly rateBefore: number
}

/**
 * So much may be owed by chance: an honest agent's bad events are early on one day and late on another. With one, an
 * agent of 80 % good had 22 points less than without copies; with two, it has 13 less.
 */
const OWED_MAX = 2

/** As how much of an event a good one counts. */
function rateOf({ count, bad, goodCounted, rateBefore }: Copies): number {
  const good = count - bad
  return good === 0 ? rateBefore : goodCounted / good
}

/**
 * By how much the bad ones have counted less than in proportion to the good ones, over all days so far. Where no good
 * one ever had these figures, each bad one is owed in full: an agent that lets half of its tasks run into one deadline
 * has as many failures with that duration as tasks done.
 */
function owedOf(copies: Copies): number {
  return copies.owedBefore + copies.bad * rateOf(copies) - copies.badCounted
}

function shareAfter(before: Copies, profile: BehaviourProfile, event: InspectedEvent): number {
  const count = before.count + 1
  // The own side is owed nothing: by reports of its own it would displace what others are owed.
  if (!isBad(event) || event.self) {
    return 1 / count
  }
  const isWithoutGood = before.bad === before.count
  // One that is sent again and again has no good ones beside it either: what it is owed counts from the next day on.
  const owed = isWithoutGood ? before.owedBefore : owedOf({ ...before, count, bad: before.bad + 1 })
  // What was sold at that price before is no such one.
  const isOfPrice = !isWithoutGood || before.rateBefore < 1
  const more = isOfPrice ? Math.max(owed, owedToReporter(before, profile, event)) : owed
  return Math.min(1, Math.max(1 / count, more - OWED_MAX))
}

/**
 * What the bad reports of a reporter of one dimension are owed today, with this one, if they count as its good ones do on
 * average, of whatever figures. Otherwise an agent that sells at many prices hides its frauds at one of them. Those with
 * other figures are taken to count as one each, good and bad. 0 where the profile lists the reporter with others.
 */
function owedToReporter(
  { goodCounted, badCounted, count, bad }: Copies,
  profile: BehaviourProfile,
  event: InspectedEvent,
): number {
  const known = knownReporter(profile, event.reporter.id)
  if (known === null || known.day !== dayOf(event.at)) {
    return 0
  }
  const { comparableToday, badToday, paidToday, paidBadToday } = known
  const isMoney = isPayment(event.type)
  const allBad = isMoney ? paidBadToday : badToday - paidBadToday
  const all = isMoney ? paidToday : comparableToday - paidToday
  const good = count - bad
  const otherGood = Math.max(0, all - allBad - good)
  const otherBad = Math.max(0, allBad - bad)
  // Before the first good one of a day no rate is known: frauds in the morning would be hidden by what is sold later.
  const rate = otherGood + good === 0 ? 1 : (otherGood + goodCounted) / (otherGood + good)
  return rate * (otherBad + bad + 1) - otherBad - badCounted
}

function isBad({ impact }: InspectedEvent): boolean {
  return impact === 'negative'
}

/** An attacker who mixes more shapes than this has little left of what makes copying easy. */
const NEAR_DUPLICATES_MAX = 8

/** What `nearDuplicates` holds of one: its shape, and the figures of `Copies` in their order. */
export const NEAR_DUPLICATE_LENGTH = 8

/** Those that this event may be a copy of; null where there are none. */
function copiesOf({ nearDuplicates }: BehaviourProfile, event: InspectedEvent): Copies | null {
  const time = copyTimeOf(event)
  if (time === null) {
    return null
  }
  const place = placeOfShape(nearDuplicates, shapeOf(event))
  if (place === nearDuplicates.length) {
    return null
  }
  const last = copiesAt(nearDuplicates, place)
  return isNear(last, time, event) ? last : null
}

function isNear(last: Copies, time: number, event: InspectedEvent): boolean {
  const near = isDetailed(event) ? NEAR_MS : 0
  return dayOf(time) === dayOf(last.time) && Math.abs(time - last.time) <= near
}

function copiesAt(duplicates: readonly number[], place: number): Copies {
  const at = (offset: number) => duplicates[place + offset] as number
  return {
    time: at(1),
    count: at(2),
    bad: at(3),
    goodCounted: at(4),
    badCounted: at(5),
    owedBefore: at(6),
    rateBefore: at(7),
  }
}

/** Where the near duplicates of a shape are; beyond the last if there are none. */
function placeOfShape(duplicates: readonly number[], shape: number): number {
  let place = 0
  while (place < duplicates.length && duplicates[place] !== shape) {
    place += NEAR_DUPLICATE_LENGTH
  }
  return place
}

/** Adds an event that may be a copy, or of which there may be copies. The latest shape is the last. */
export function addCopy(profile: MutableProfile, event: InspectedEvent): void {
  const time = copyTimeOf(event)
  if (time === null) {
    return
  }
  const { nearDuplicates } = profile
  const shape = shapeOf(event)
  const place = placeOfShape(nearDuplicates, shape)
  const known = place < nearDuplicates.length ? copiesAt(nearDuplicates, place) : null
  const before = known !== null && isNear(known, time, event) ? known : firstOfDay(known)
  const share = event.self ? 0 : shareAfter(before, profile, event)
  const isOneBad = isBad(event)
  if (known !== null) {
    removeShape(nearDuplicates, place)
  } else if (nearDuplicates.length >= NEAR_DUPLICATES_MAX * NEAR_DUPLICATE_LENGTH) {
    removeShape(nearDuplicates, placeOfLeastOwed(nearDuplicates))
  }
  nearDuplicates.push(
    shape,
    time,
    before.count + 1,
    before.bad + (isOneBad ? 1 : 0),
    rounded(before.goodCounted + (isOneBad ? 0 : share)),
    rounded(before.badCounted + (isOneBad ? share : 0)),
    before.owedBefore,
    event.self ? 0 : before.rateBefore,
  )
}

/**
 * On another day they are counted from one. What bad ones are owed stays, and so does, within the same bound, what they
 * counted more, as the first of a day do.
 */
function firstOfDay(known: Copies | null): Copies {
  const owedBefore = known === null ? 0 : rounded(Math.max(-OWED_MAX, owedOf(known)))
  const rateBefore = known === null ? 1 : rounded(rateOf(known))
  return { time: 0, count: 0, bad: 0, goodCounted: 0, badCounted: 0, owedBefore, rateBefore }
}

/** What counted is stored to four decimals: profiles are written with every event. */
function rounded(counted: number): number {
  return Math.round(counted * 10_000) / 10_000
}

/** The oldest of those whose bad ones are owed nothing, or else the least: it can be forgotten. */
function placeOfLeastOwed(duplicates: readonly number[]): number {
  let least = 0
  let leastOwed = Number.POSITIVE_INFINITY
  for (let place = 0; place < duplicates.length; place += NEAR_DUPLICATE_LENGTH) {
    const owed = Math.max(0, owedOf(copiesAt(duplicates, place)))
    if (owed < leastOwed) {
      least = place
      leastOwed = owed
    }
  }
  return least
}

function removeShape(duplicates: number[], place: number): void {
  for (let i = place + NEAR_DUPLICATE_LENGTH; i < duplicates.length; i++) {
    duplicates[i - NEAR_DUPLICATE_LENGTH] = duplicates[i] as number
  }
  for (let i = 0; i < NEAR_DUPLICATE_LENGTH; i++) {
    duplicates.pop()
  }
}

/** Figures with this many digits do not come about twice by chance: 149.37, not 150 or 1200. */
const DETAIL_DIGITS = 4

/** A site that is up 99.99 % of the time is so in every report, so that figure shows no copy. */
function isDetailed({ data }: InspectedEvent): boolean {
  return hasDetail(data.amount) || hasDetail(data.duration) || hasDetail(data.responseTimeMs)
}

function hasDetail(figure: number | undefined): boolean {
  return figure !== undefined && digitsOf(figure) >= DETAIL_DIGITS
}

const ZERO = 48
const NINE = 57
const EXPONENT = 101

/** Digits of the number as it is written, without zeros at either end. */
function digitsOf(value: number): number {
  return value === (value | 0) && value >= 0 ? digitsOfInteger(value) : digitsInText(String(value))
}

/** Without a text, which takes several times as long. */
function digitsOfInteger(value: number): number {
  let rest = value | 0
  while (rest > 0 && rest % 10 === 0) {
    rest = (rest / 10) | 0
  }
  let count = 0
  while (rest > 0) {
    rest = (rest / 10) | 0
    count += 1
  }
  return count
}

function digitsInText(text: string): number {
  let count = 0
  let first = 0
  let last = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === EXPONENT) {
      break
    }
    if (unit >= ZERO && unit <= NINE) {
      count += 1
      if (unit > ZERO) {
        first = first === 0 ? count : first
        last = count
      }
    }
  }
  return first === 0 ? 0 : last - first + 1
}
