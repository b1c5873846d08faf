/** Which events may be copies of earlier ones, by their figures and times, and how much of each counts. */
import { DAY_MS, dayOf } from '../domain/time.ts'
import { ofLatest, shapeOf } from './digest.ts'
import type { BehaviourProfile, MutableProfile } from './profile.ts'
import type { InspectedEvent } from './rule.ts'
import { hasStatedTime, isTimed } from './times.ts'

/** Events of one day whose stated times are within so much of each other are near. */
const NEAR_MS = 10_000

/**
 * The time by which events with the same figures may be copies: the stated one, or the day of receipt for those
 * without a time and a name. Null for one that has only a name, or no figure that does not come about twice by chance.
 * At a whole minute any figure will do: such a reporter gives many events one time.
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
  return hasTime && !isTimed(event) && hasFigures(event) ? event.occurredAt : null
})

function hasFigures({ data }: InspectedEvent): boolean {
  const { amount, duration, responseTimeMs } = data
  return amount !== undefined || duration !== undefined || responseTimeMs !== undefined
}

/** How many events that may be copies of this one came before it on the same day, each near the one before. */
export function copiesBefore({ nearDuplicates }: BehaviourProfile, event: InspectedEvent): number {
  const time = copyTimeOf(event)
  if (time === null) {
    return 0
  }
  const place = placeOfShape(nearDuplicates, shapeOf(event))
  if (place === nearDuplicates.length) {
    return 0
  }
  const last = nearDuplicates[place + 1] as number
  const isNear = dayOf(time) === dayOf(last) && Math.abs(time - last) <= NEAR_MS
  return isNear ? (nearDuplicates[place + 2] as number) : 0
}

/**
 * How much of an event counts, 0 to 1, after those that it may be a copy of: the nth counts 1/n. A thousand copies
 * count as seven and a half events. Good and bad ones are counted together, so that an agent with one price keeps
 * the rate that it has.
 */
export function copyShare(profile: BehaviourProfile, event: InspectedEvent): number {
  return 1 / (1 + copiesBefore(profile, event))
}

/** An attacker who mixes more shapes than this has little left of what makes copying easy. */
const NEAR_DUPLICATES_MAX = 8

/** What `nearDuplicates` holds of one: its shape, the time last given for it, and how often in a row. */
export const NEAR_DUPLICATE_LENGTH = 3

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
  const count = 1 + copiesBefore(profile, event)
  const { nearDuplicates } = profile
  const shape = shapeOf(event)
  const place = placeOfShape(nearDuplicates, shape)
  if (place < nearDuplicates.length) {
    removeShape(nearDuplicates, place)
  } else if (nearDuplicates.length >= NEAR_DUPLICATES_MAX * NEAR_DUPLICATE_LENGTH) {
    removeShape(nearDuplicates, 0)
  }
  nearDuplicates.push(shape, time, count)
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
