import { createHash } from 'node:crypto'

/** Longer than the ids of most systems; `shortened` hashes longer ones. */
export const EXTERNAL_ID_CHARS_MAX = 100

/** The name of an event at its source, as an `externalId`: one that is too long is hashed. */
export function shortened(name: string): string {
  const isShort = name.length <= EXTERNAL_ID_CHARS_MAX
  return isShort ? name : `sha256:${createHash('sha256').update(name).digest('hex')}`
}
