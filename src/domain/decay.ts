/** What the passing of whole days does to evidence. Within a day nothing fades. */

import { discountUncorroborated } from './aggregate.ts'
import type { MutableEvidence, Source, Track } from './evidence-state.ts'
import { exp2 } from './math.ts'
import * as model from './model.ts'

const DAY_MS = 86_400_000

/** Days since 1970. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS)
}

/** Moves the draft to a time. Earlier than its own it stays: what is received later is later. */
export function advanceTo(draft: MutableEvidence, at: number): void {
  if (!(at > draft.at)) {
    return
  }
  const days = dayOf(at) - dayOf(draft.at)
  draft.at = at
  if (days === 0) {
    return
  }
  const kept = exp2(-days / model.HALF_LIFE_DAYS)
  closeDay(draft.reliability, kept)
  closeDay(draft.financial, kept)
  draft.payments.smallToday = 0
  draft.identity.verified *= kept
  draft.identity.claimed *= kept
  draft.identity.revoked *= kept
  draft.identity.withdrawn *= kept
}

/** Ends the day: what is too much displaces the rest in proportion, and what is left fades. */
function closeDay(track: Track, kept: number): void {
  track.activeDays += track.activeToday
  track.activeToday = 0
  const closed = track.sources.map(closeSource)
  const { good, bad } = discountUncorroborated(closed)
  const mass = good + bad
  const room = mass > model.DIMENSION_MASS_MAX ? model.DIMENSION_MASS_MAX / mass : 1
  track.sources = closed.map((source) => shrunk(source, room * kept))
  track.self = shrunk(closeSource(track.self), kept)
}

function closeSource(source: Source): Source {
  const mass = source.good + source.bad
  return shrunk(source, mass > model.PLATFORM_MASS_MAX ? model.PLATFORM_MASS_MAX / mass : 1)
}

/** Its masses multiplied, and what was said today no more. */
function shrunk({ reporter, good, bad }: Source, factor: number): Source {
  return { reporter, good: good * factor, bad: bad * factor, badToday: 0 }
}
