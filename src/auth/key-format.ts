import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { KeyKind } from '../store/store.ts'

/**
 * A key is its prefix, 32 random base62 characters (190 bits), and their CRC32 in six more, so that
 * scanners and clients can tell one offline, and a mistyped key costs no look-up.
 */
export const PREFIX = { agent: 'avs_', platform: 'avp_', operator: 'avo_' } as const

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6

export function newKey(kind: KeyKind): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(62)]).join('')
  return PREFIX[kind] + random + checksum(random)
}

export function hashOf(key: string): Uint8Array {
  return hash('sha256', key, 'buffer')
}

/** Which kind of key this could be; null when it is none that we ever gave out. */
export function kindOf(text: string): KeyKind | null {
  const match = /^(av[spo]_)([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/.exec(text)
  if (!match) {
    return null
  }
  const [, prefix, random = '', sum] = match
  if (checksum(random) !== sum) {
    return null
  }
  return (['agent', 'platform', 'operator'] as const).find((k) => PREFIX[k] === prefix) ?? null
}

function checksum(random: string): string {
  let rest = crc32(random)
  let text = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = ALPHABET[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}
