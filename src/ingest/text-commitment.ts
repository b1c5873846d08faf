/**
 * How the chain covers free text without keeping it: it hashes a salted commitment in place of each
 * text. Without the salt a commitment shows nothing of its text, so text and salt can be erased and
 * the chain still verifies.
 */
import type { EventData } from '../domain/event.ts'
import { base64url } from '../lib/base64url.ts'
import { sha256 } from './digest.ts'

/** The fields of an event's data that anybody may write anything into, and that no score depends on. */
export const TEXT_FIELDS = ['errorCode', 'errorType', 'credentialType'] as const

type Texts = Pick<EventData, (typeof TEXT_FIELDS)[number]>

/** Every field by its name: asked of every event, and a loop over the names takes ten times as long. */
export function hasText({ errorCode, errorType, credentialType }: EventData): boolean {
  return errorCode !== undefined || errorType !== undefined || credentialType !== undefined
}

/** The data of an event with a commitment in place of each text. */
export function committed(data: EventData, salt: string): EventData {
  const commitments: { -readonly [Field in keyof Texts]: string } = {}
  for (const field of TEXT_FIELDS) {
    const text = data[field]
    if (text !== undefined) {
      commitments[field] = `sha256:${base64url(sha256(`${salt}\n${field}\n${text}`))}`
    }
  }
  return { ...data, ...commitments }
}
