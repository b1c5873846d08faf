import { SECRET_BYTES } from '../lib/secret-bytes.ts'
import { UserError } from '../lib/user-error.ts'
import { type Get, wholeNumber } from './values.ts'

/** Set by hand, so it has no checksum; it is too long to guess. @throws UserError */
export function operatorKey(get: Get): string | null {
  const text = get('STANDING_OPERATOR_KEY')
  if (text === null || /^avo_[\x21-\x7e]{32,}$/.test(text)) {
    return text
  }
  throw new UserError('STANDING_OPERATOR_KEY must be avo_ followed by at least 32 characters.')
}

/** The master key. @throws UserError */
export function secretKey(get: Get): Uint8Array | null {
  const text = get('STANDING_SECRET_KEY')
  if (text === null) {
    return null
  }
  const bytes = Buffer.from(text, 'base64')
  if (/^[\w+/-]+={0,2}$/.test(text) && bytes.length === SECRET_BYTES) {
    return bytes
  }
  throw new UserError(
    'STANDING_SECRET_KEY must be 32 bytes in base64. Create one with: openssl rand -base64 32',
  )
}

/** Uses are stored once a minute: a shorter time could not be kept. */
const IDLE_MINUTES_MIN = 5

/** How long a session may be unused; null for as long as its token lasts. @throws UserError */
export function sessionIdleMs(get: Get): number | null {
  const minutes = wholeNumber(get, 'STANDING_SESSION_IDLE')
  if (minutes > 0 && minutes < IDLE_MINUTES_MIN) {
    throw new UserError(
      `STANDING_SESSION_IDLE must be at least ${IDLE_MINUTES_MIN} minutes, or 0 for never.`,
    )
  }
  return minutes === 0 ? null : minutes * 60_000
}
