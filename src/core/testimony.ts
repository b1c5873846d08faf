/** What all the sources of a dimension say together. */
import { clamp } from './math.ts'
import * as model from './model.ts'
import type { Evidence, Source } from './state.ts'

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
  const platforms = believe(track.sources, grown * model.PLATFORM_MASS_MAX)
  const self = said(track.self, model.PLATFORM_MASS_MAX)
  const selfGood = Math.min(
    model.SELF_WEIGHT * self.good,
    model.SELF_GOOD_MAX + model.SELF_GOOD_SHARE * platforms.good,
  )
  return {
    good: grown * (platforms.good + selfGood),
    bad: platforms.bad + model.SELF_WEIGHT * self.bad,
  }
}

/** Fixed for the day: whatever is reported today does not age anyone. */
function maturity(track: Track, today: number): number {
  const tenure = track.firstDay < 0 ? 0 : tenureOf(track, track.firstDay, today)
  const grown = Math.min(1, tenure / model.MATURITY_DAYS)
  return model.MATURITY_START + (1 - model.MATURITY_START) * grown
}

/** What a source said, good and bad in proportion, up to a mass. */
function said(source: Readonly<Source>, massMax: number): Testimony {
  const mass = source.good + source.bad
  const room = mass > massMax ? massMax / mass : 1
  return { good: source.good * room, bad: source.bad * room }
}

/**
 * The sum over platforms, each up to a mass, less what one says without support and against the
 * others. More good from anyone never lowers the good nor raises the bad of the sum, and the other
 * way round: that keeps the score monotone.
 */
export function believe(sources: Track['sources'], massMax: number): Testimony {
  if (sources.length === 1) return said(sources[0] as Source, massMax)
  const all = sources.map((source) => said(source, massMax))
  let good = 0
  let bad = 0
  for (const one of all) {
    good += one.good
    bad += one.bad
  }
  const sum = { good: 0, bad: 0 }
  for (const one of all) {
    sum.good += believed(one.good, good - one.good, bad - one.bad)
    sum.bad += believed(one.bad, bad - one.bad, good - one.good)
  }
  return sum
}

/** What is left of a platform's mass, given the others' equal and contrary mass. */
function believed(mass: number, support: number, contrary: number): number {
  const unsupported = mass - model.UNSUPPORTED_MASS_MAX - model.SUPPORT_SHARE * support
  return mass - clamp(unsupported, 0, contrary)
}
