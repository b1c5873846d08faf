/**
 * SHA-256, the one thing that this module takes from the platform: the same bytes give the same digest
 * everywhere, so the module stays pure. test/house.test.ts allows `node:crypto` in this file alone.
 */
import { hash } from 'node:crypto'
import { isSameBytes } from '../domain/bytes.ts'

/** As a text first: a buffer of its own for each digest takes three times as long. */
export function sha256(data: string | Uint8Array): Uint8Array {
  return Buffer.from(hash('sha256', data, 'binary'), 'binary')
}

export function isSame(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a !== null && b !== null && isSameBytes(a, b)
}
