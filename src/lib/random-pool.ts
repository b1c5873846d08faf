import { randomFillSync } from 'node:crypto'

/** Random bytes, taken a few at a time and fetched many at a time. No byte is given out twice. */
export interface RandomPool {
  readonly bytes: Uint8Array
  /** Where the next ones begin in `bytes`. They stay there until `next` is called again. */
  next(): number
}

/** Taken for each fetch, which costs as much as forty ids. */
const TAKEN_MAX = 512

/** A pool from which this many bytes are taken at a time. */
export function createRandomPool(length: number): RandomPool {
  const bytes = new Uint8Array(TAKEN_MAX * length)
  let at = bytes.length
  return {
    bytes,
    next() {
      at += length
      if (at >= bytes.length) {
        randomFillSync(bytes)
        at = 0
      }
      return at
    },
  }
}
