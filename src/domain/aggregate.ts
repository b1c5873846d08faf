/** What all the sources of a dimension say together. */

import type { Evidence } from './evidence-state.ts'
import type { Model } from './model.ts'

type Track = Evidence['reliability']

/** Mass of good and of bad testimony. */
export interface Aggregate {
  good: number
  bad: number
}

/** Days of standing since a day: of those gone by, no more than the days with good reports earn. */
export function tenureOf(model: Model, track: Track, sinceDay: number, today: number): number {
  return Math.min(today - sinceDay, model.tenurePerActiveDay * track.activeDays)
}

/** What is to be believed on a day, good and bad, without the prior. */
export function aggregateReports(model: Model, track: Track, today: number): Aggregate {
  const youth = youthOf(model, track, today)
  const platforms = discountUncorroborated(model, track.sources, youth)
  const self = upTo(model, model.platformMassMax, youth, {
    good: Math.min(
      model.selfWeight * track.self.good,
      model.selfGoodMax + model.selfGoodShare * platforms.good,
    ),
    bad: model.selfWeight * track.self.bad,
  })
  return upTo(model, model.dimensionMassMax, youth, {
    good: platforms.good + self.good,
    bad: platforms.bad + self.bad,
  })
}

/** The youth of an agent that is young no more. */
const NO_DAMPING = 0

/** From 1 down to 0. Fixed for the day: whatever is reported today does not age anyone. */
function youthOf(model: Model, track: Track, today: number): number {
  return coldStartDamping(
    model,
    track.firstDay < 0 ? 0 : tenureOf(model, track, track.firstDay, today),
  )
}

/** The youth left after so many days of standing. */
export function coldStartDamping(model: Model, days: number): number {
  const missing = Math.max(0, 1 - days / model.coldStartDays)
  return missing * missing
}

/** Good and bad in proportion, as far as there is room. */
function upTo(
  model: Model,
  massMax: number,
  youth: number,
  { good, bad }: Readonly<Aggregate>,
): Aggregate {
  const room = massLimit(model, good + bad, massMax, youth)
  return { good: good * room, bad: bad * room }
}

/**
 * The share that counts of a mass: all of it up to the most; of a young agent's less, the smaller a
 * share the more is said. Good and bad have the same share, so that a rate remains what it is.
 */
export function massLimit(model: Model, mass: number, massMax: number, youth: number): number {
  const room = mass > massMax ? massMax / mass : 1
  if (youth === NO_DAMPING) {
    return room
  }
  return Math.min(room, 1 / (1 + (youth * mass) / (model.coldStartShare * massMax)))
}

/**
 * The sum over platforms, each as far as there is room, less what one says without support and
 * against the others. More good from anyone never lowers the good nor raises the bad of the sum, and
 * the other way round: that keeps the score monotone.
 */
export function discountUncorroborated(
  model: Model,
  sources: Track['sources'],
  youth = NO_DAMPING,
): Aggregate {
  let good = 0
  let bad = 0
  let mostGood = 0
  let mostBad = 0
  for (const source of sources) {
    const room = massLimit(model, source.good + source.bad, model.platformMassMax, youth)
    const ownGood = source.good * room
    const ownBad = source.bad * room
    good += ownGood
    bad += ownBad
    if (ownGood > mostGood) {
      mostGood = ownGood
    }
    if (ownBad > mostBad) {
      mostBad = ownBad
    }
  }
  // Mostly nobody says more than the others support: then all of it is believed.
  if (
    sources.length === 1 ||
    (isSupported(model, mostGood, good) && isSupported(model, mostBad, bad))
  ) {
    return { good, bad }
  }
  const sum = { good: 0, bad: 0 }
  for (const source of sources) {
    const room = massLimit(model, source.good + source.bad, model.platformMassMax, youth)
    const ownGood = source.good * room
    const ownBad = source.bad * room
    sum.good += believed(model, ownGood, good - ownGood, bad - ownBad)
    sum.bad += believed(model, ownBad, bad - ownBad, good - ownGood)
  }
  return sum
}

function isSupported(model: Model, mass: number, all: number): boolean {
  return unsupportedOf(model, mass, all - mass) <= 0
}

/** What goes beyond the support that the others give by saying the same. */
function unsupportedOf(model: Model, mass: number, support: number): number {
  return mass - model.uncorroboratedMax - model.corroborationShare * support
}

/** What is left of a platform's mass, given the others' equal and contrary mass. */
function believed(model: Model, mass: number, support: number, contrary: number): number {
  const unsupported = unsupportedOf(model, mass, support)
  return unsupported > 0 ? mass - Math.min(unsupported, contrary) : mass
}
