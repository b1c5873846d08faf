import { createRandomPool } from './random-pool.ts'

const RANDOM_BYTES = 8

/** The counter has twelve bits; it begins in the lower half, so that there is room in any millisecond. */
const COUNTER_END = 0x1000
const COUNTER_START_MASK = 0x7ff

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * UUIDs of version 7 (RFC 9562): the millisecond, a counter within it, 62 random bits. Each is
 * greater than the one before, also when the clock is set back.
 */
export function createIds(clock: () => number = Date.now): () => string {
  const pool = createRandomPool(RANDOM_BYTES)
  let at = 0
  let millisecond = 0
  let counter = 0
  let prefix = ''

  function advance(): void {
    const now = clock()
    counter++
    if (now <= millisecond && counter < COUNTER_END) {
      return
    }
    millisecond = Math.max(now, millisecond + 1)
    counter = ((byte(0) << 8) | byte(1)) & COUNTER_START_MASK
    const hex = millisecond.toString(16).padStart(12, '0')
    prefix = `${hex.slice(0, 8)}-${hex.slice(8)}-7`
  }

  const byte = (i: number) => pool.bytes[at + i] ?? 0
  const hex = (i: number) => HEX[byte(i)] ?? ''

  return () => {
    at = pool.next()
    advance()
    const count = counter.toString(16).padStart(3, '0')
    const variant = HEX[(byte(0) & 0x3f) | 0x80] ?? ''
    const node = hex(2) + hex(3) + hex(4) + hex(5) + hex(6) + hex(7)
    return `${prefix}${count}-${variant}${hex(1)}-${node}`
  }
}
