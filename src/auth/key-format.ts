import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Mode } from '../domain/mode.ts'
import type { KeyKind } from '../store/store.ts'

/**
 * A key is its prefix, 32 random base62 characters (190 bits), and their CRC32 in six more, so that
 * scanners and clients can recognize one offline, and a mistyped key costs no look-up. A key for test
 * data has `test_` between them.
 */
const PREFIX = {
  agent: 'avs_',
  owner: 'avw_',
  platform: 'avp_',
  operator: 'avo_',
} as const

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const TEST = 'test_'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6

export function newKey(kind: KeyKind, mode: Mode = 'live'): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(62)]).join('')
  return PREFIX[kind] + (mode === 'test' ? TEST : '') + random + checksum(random)
}

export function hashOf(key: string): Uint8Array {
  return hash('sha256', key, 'buffer')
}

const PREFIX_LENGTH = 4
const KINDS: ReadonlyMap<string, KeyKind> = new Map(
  Object.entries(PREFIX).map(([kind, prefix]) => [prefix, kind as KeyKind]),
)

/** What kind of key a credential is by its prefix; null for a token. */
export function keyKindOf(credential: string): KeyKind | null {
  return KINDS.get(credential.slice(0, PREFIX_LENGTH)) ?? null
}

const WELL_FORMED = /^av(?:[swpo]_|[sp]_test_)([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

/** Whether a key has the form of a generated one, its checksum included. */
export function isWellFormed(key: string): boolean {
  const [, random = '', sum] = WELL_FORMED.exec(key) ?? []
  return sum !== undefined && checksum(random) === sum
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
