import { crc32 } from 'node:zlib'
import { assert, property, stringMatching } from 'fast-check'
import { describe, expect, it as test } from 'vitest'
import { apiKeyChecksum, isApiKey } from '../src/index.ts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const fromBase62 = (text: string) => [...text].reduce((n, c) => n * 62 + DIGITS.indexOf(c), 0)
const random = 'aB3'.repeat(10).padEnd(32, '0')

describe('a key', () => {
  test('ends in the CRC32 of its random part', () => {
    assert(
      property(stringMatching(/^[0-9A-Za-z]{32}$/), (text) => {
        const checksum = apiKeyChecksum(text)
        expect(checksum).toMatch(/^[0-9A-Za-z]{6}$/)
        expect(fromBase62(checksum)).toBe(crc32(text))
      }),
    )
  })

  test('is recognised as an agent’s, an owner’s or a platform’s by its prefix', () => {
    const tail = `${random}${apiKeyChecksum(random)}`
    expect(isApiKey(`avs_${tail}`)).toBe(true)
    expect(isApiKey(`avw_${tail}`)).toBe(true)
    expect(isApiKey(`avp_${tail}`)).toBe(true)
    for (const other of [`avo_${tail}`, `avs_${tail} `, `avs_${tail}\n`, tail, 'avs_', '']) {
      expect(isApiKey(other)).toBe(false)
    }
  })

  test('with one changed character is not a key', () => {
    const key = `avs_${random}${apiKeyChecksum(random)}`
    for (let at = 4; at < key.length; at++) {
      const other = key[at] === 'z' ? 'y' : 'z'
      expect(isApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false)
    }
  })
})
