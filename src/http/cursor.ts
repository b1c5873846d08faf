import { createHmac, timingSafeEqual } from 'node:crypto'
import { invalidField } from '../domain/error.ts'

/** The position in a list as opaque text: signed, and valid only for that list with those filters. */
export interface Cursors {
  encode(position: Position, list: ListName): string
  decode(cursor: string, list: ListName): Position
}

export type Position = readonly (string | number)[]

/** What a cursor is bound to: the list, its owner and its filters. */
export type ListName = Readonly<Record<string, string | number | undefined>>

/** Half of a SHA-256: too long to guess, and short enough for a log line. */
const SIGNATURE_BYTES = 16

export function createCursors(key: Uint8Array): Cursors {
  const sign = (payload: string, list: ListName) =>
    createHmac('sha256', key)
      .update(`${payload}\n${canonical(list)}`)
      .digest()
      .subarray(0, SIGNATURE_BYTES)
  return {
    encode(position, list) {
      const payload = JSON.stringify(position)
      return Buffer.concat([sign(payload, list), Buffer.from(payload)]).toString('base64url')
    },
    decode(cursor, list) {
      const bytes = Buffer.from(cursor, 'base64url')
      const payload = bytes.subarray(SIGNATURE_BYTES).toString()
      const signature = bytes.subarray(0, SIGNATURE_BYTES)
      const isOurs =
        signature.length === SIGNATURE_BYTES && timingSafeEqual(signature, sign(payload, list))
      if (!isOurs || bytes.toString('base64url') !== cursor) {
        throw invalidField(
          'query.cursor',
          'is not the nextCursor of this list with these filters',
          'invalid_cursor',
        )
      }
      return JSON.parse(payload) as Position
    },
  }
}

function canonical(list: ListName): string {
  const entries = Object.entries(list).filter(([, value]) => value !== undefined)
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
