import { createHash } from 'node:crypto'

const CHARS_MAX = 100

/** The name of an event at its source, as an `externalId`: one that is too long is hashed. */
export function shortened(name: string): string {
  const isShort = name.length <= CHARS_MAX
  return isShort ? name : `sha256:${createHash('sha256').update(name).digest('hex')}`
}
