/** What the passing of whole days does to evidence. Within a day nothing fades. */

import { discountUncorroborated } from './aggregate.ts'
import type { MutableEvidence, Source, Track } from './evidence-state.ts'
import { exp2 } from './math.ts'
import type { Model } from './model.ts'

const DAY_MS = 86_400_000

/** Days since 1970. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS)
}

/** Moves the draft to a time. Earlier than its own it stays: what is received later is later. */
export function advanceTo(model: Model, draft: MutableEvidence, at: number): void {
  if (!(at > draft.at)) {
    return
  }
  const days = dayOf(at) - dayOf(draft.at)
  draft.at = at
  if (days === 0) {
    return
  }
  const kept = exp2(-days / model.halfLifeDays)
  closeDay(model, draft.reliability, kept)
  closeDay(model, draft.financial, kept)
  draft.payments.smallToday = 0
  draft.identity.verified *= kept
  draft.identity.claimed *= kept
  draft.identity.revoked *= kept
  draft.identity.withdrawn *= kept
}

/** Ends the day: what is too much displaces the rest in proportion, and what is left fades. */
function closeDay(model: Model, track: Track, kept: number): void {
  track.activeDays += track.activeToday
  track.activeToday = 0
  const closed = track.sources.map((source) => closeSource(model, source))
  const { good, bad } = discountUncorroborated(model, closed)
  const mass = good + bad
  const room = mass > model.dimensionMassMax ? model.dimensionMassMax / mass : 1
  track.sources = closed.map((source) => shrunk(source, room * kept))
  track.self = shrunk(closeSource(model, track.self), kept)
}

function closeSource(model: Model, source: Source): Source {
  const mass = source.good + source.bad
  return shrunk(source, mass > model.platformMassMax ? model.platformMassMax / mass : 1)
}

/** Its masses multiplied, and what was said today no more. */
function shrunk({ reporter, good, bad }: Source, factor: number): Source {
  return { reporter, good: good * factor, bad: bad * factor, badToday: 0 }
}
