/** What all the sources of a dimension say together. */
import * as model from './model.ts'
import type { Evidence } from './state.ts'

type Track = Evidence['reliability']

/** Mass of good and of bad testimony. */
export interface Testimony {
  good: number
  bad: number
}

/** Days of standing since a day: of those gone by, no more than the days with good reports earn. */
export function tenureOf(track: Track, sinceDay: number, today: number): number {
  return Math.min(today - sinceDay, model.DAYS_PER_ACTIVE_DAY * track.activeDays)
}

/** What is to be believed on a day, good and bad, without the prior. */
export function hear(track: Track, today: number): Testimony {
  const grown = maturity(track, today)
  const platforms = upTo(
    grown * model.DIMENSION_MASS_MAX,
    believe(track.sources, grown * model.PLATFORM_MASS_MAX),
  )
  const self = upTo(model.PLATFORM_MASS_MAX, track.self)
  const selfGood = Math.min(
    model.SELF_WEIGHT * self.good,
    model.SELF_GOOD_MAX + model.SELF_GOOD_SHARE * platforms.good,
  )
  return upTo(model.DIMENSION_MASS_MAX, {
    good: grown * (platforms.good + selfGood),
    bad: platforms.bad + model.SELF_WEIGHT * self.bad,
  })
}

/** Fixed for the day: whatever is reported today does not age anyone. */
function maturity(track: Track, today: number): number {
  const tenure = track.firstDay < 0 ? 0 : tenureOf(track, track.firstDay, today)
  const grown = Math.min(1, tenure / model.MATURITY_DAYS)
  return model.MATURITY_START + (1 - model.MATURITY_START) * grown
}

/** Good and bad in proportion, up to a mass. */
function upTo(massMax: number, { good, bad }: Readonly<Testimony>): Testimony {
  const room = roomFor(good + bad, massMax)
  return { good: good * room, bad: bad * room }
}

function roomFor(mass: number, massMax: number): number {
  return mass > massMax ? massMax / mass : 1
}

/**
 * The sum over platforms, each up to a mass, less what one says without support and against the
 * others. More good from anyone never lowers the good nor raises the bad of the sum, and the other
 * way round: that keeps the score monotone.
 */
export function believe(sources: Track['sources'], massMax: number): Testimony {
  let good = 0
  let bad = 0
  for (const source of sources) {
    const room = roomFor(source.good + source.bad, massMax)
    good += source.good * room
    bad += source.bad * room
  }
  if (sources.length === 1) return { good, bad }
  const sum = { good: 0, bad: 0 }
  for (const source of sources) {
    const room = roomFor(source.good + source.bad, massMax)
    const ownGood = source.good * room
    const ownBad = source.bad * room
    sum.good += believed(ownGood, good - ownGood, bad - ownBad)
    sum.bad += believed(ownBad, bad - ownBad, good - ownGood)
  }
  return sum
}

/** What is left of a platform's mass, given the others' equal and contrary mass. */
function believed(mass: number, support: number, contrary: number): number {
  const unsupported = mass - model.UNSUPPORTED_MASS_MAX - model.SUPPORT_SHARE * support
  return unsupported > 0 ? mass - Math.min(unsupported, contrary) : mass
}
