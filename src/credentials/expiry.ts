import { invalidField } from '../domain/error.ts'
import { DAY_MS } from '../domain/time.ts'

/** A statement about a score ages: a month by default, and no longer than a quarter. */
const SCORE_DAYS = 30
const SCORE_DAYS_MAX = 90

/** The end of an owner's credential: in the future, or never. */
export function expiryOf(expiresAt: number | null | undefined, now: number): number | null {
  if (expiresAt === null || expiresAt === undefined) {
    return null
  }
  if (expiresAt <= now) {
    throw invalidField('expiresAt', 'must lie in the future', 'out_of_window')
  }
  return expiresAt
}

/** The end of a score credential, which always has one. */
export function scoreExpiryOf(expiresAt: number | null | undefined, now: number): number {
  const given = expiryOf(expiresAt, now) ?? now + SCORE_DAYS * DAY_MS
  if (given > now + SCORE_DAYS_MAX * DAY_MS) {
    const message = `must lie at most ${SCORE_DAYS_MAX} days ahead`
    throw invalidField('expiresAt', message, 'out_of_window')
  }
  return given
}
