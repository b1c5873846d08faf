/** What all the sources of a dimension say together. */
import { clamp } from './math.ts'
import * as model from './model.ts'
import { todaysShare } from './passing.ts'
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
  const heard = track.sources.length === 1 ? saidBy(track.sources[0] as Source) : weigh(track)
  const self = saidBy(track.self)
  const selfGood = Math.min(
    model.SELF_WEIGHT * self.good,
    model.SELF_GOOD_MAX + model.SELF_GOOD_SHARE * heard.good,
  )
  return {
    good: maturity(track, today) * (heard.good + selfGood),
    bad: heard.bad + model.SELF_WEIGHT * self.bad,
  }
}

function maturity(track: Track, today: number): number {
  const tenure = track.firstDay < 0 ? 0 : tenureOf(track, track.firstDay, today)
  const grown = Math.min(1, tenure / model.MATURITY_DAYS)
  return model.MATURITY_START + (1 - model.MATURITY_START) * grown
}

function saidBy(source: Readonly<Source>): Testimony {
  const share = todaysShare(source)
  return {
    good: source.good + source.goodToday * share,
    bad: source.bad + source.badToday * share,
  }
}

/**
 * The sum over platforms, less what one says without support and against the others. More good from
 * anyone never lowers the good nor raises the bad of the sum, and the other way round: that keeps
 * the score monotone.
 */
function weigh(track: Track): Testimony {
  const said = track.sources.map(saidBy)
  let good = 0
  let bad = 0
  let goodVoice = 0
  let badVoice = 0
  for (const one of said) {
    good += one.good
    bad += one.bad
    goodVoice += Math.min(one.good, model.CONTRADICTION_MASS_MAX)
    badVoice += Math.min(one.bad, model.CONTRADICTION_MASS_MAX)
  }
  const heard = { good: 0, bad: 0 }
  for (const one of said) {
    const against = badVoice - Math.min(one.bad, model.CONTRADICTION_MASS_MAX)
    const inFavour = goodVoice - Math.min(one.good, model.CONTRADICTION_MASS_MAX)
    heard.good += believed(one.good, good - one.good, against)
    heard.bad += believed(one.bad, bad - one.bad, inFavour)
  }
  return heard
}

/** What is left of a platform's mass, given the others' equal and contrary mass. */
function believed(mass: number, support: number, contrary: number): number {
  const unsupported = mass - model.UNSUPPORTED_MASS_MAX - model.SUPPORT_SHARE * support
  return mass - clamp(unsupported, 0, model.CONTRADICTION * contrary)
}
