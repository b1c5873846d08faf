/** What the passing of whole days does to evidence. Within a day nothing fades and no cap bites. */
import { exp2, ln } from './math.ts'
import * as model from './model.ts'
import type { Draft, Source, Track } from './state.ts'

const DAY_MS = 86_400_000

/** Days since 1970. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS)
}

/** Moves the draft to a time. Earlier than its own it stays: what is received later is later. */
export function passTo(draft: Draft, at: number): void {
  if (!(at > draft.at)) return
  const days = dayOf(at) - dayOf(draft.at)
  draft.at = at
  if (days === 0) return
  const kept = exp2(-days / model.HALF_LIFE_DAYS)
  closeDay(draft.reliability, kept)
  closeDay(draft.financial, kept)
  draft.payments.small *= kept
  draft.identity.verified *= kept
  draft.identity.claimed *= kept
  draft.identity.revoked *= kept
  draft.identity.withdrawn *= kept
}

/** Sums up the day of every source, displaces what is too much, then lets it fade. */
function closeDay(track: Track, kept: number): void {
  let mass = 0
  for (const source of track.sources) mass += closeSource(source)
  const room = mass > model.DIMENSION_MASS_MAX ? model.DIMENSION_MASS_MAX / mass : 1
  for (const source of track.sources) shrink(source, room * kept)
  closeSource(track.self)
  shrink(track.self, kept)
}

/** Returns the mass of the source. */
function closeSource(source: Source): number {
  const share = todaysShare(source)
  source.good += source.goodToday * share
  source.bad += source.badToday * share
  source.goodToday = 0
  source.badToday = 0
  const mass = source.good + source.bad
  if (mass <= model.PLATFORM_MASS_MAX) return mass
  shrink(source, model.PLATFORM_MASS_MAX / mass)
  return model.PLATFORM_MASS_MAX
}

function shrink(source: Source, factor: number): void {
  source.good *= factor
  source.bad *= factor
}

/** The part of today's mass that counts: all of it up to the full day, its logarithm beyond. */
export function todaysShare(source: Readonly<Source>): number {
  const ratio = (source.goodToday + source.badToday) / model.DAY_MASS_FULL
  return ratio > 1 ? (1 + ln(ratio)) / ratio : 1
}
