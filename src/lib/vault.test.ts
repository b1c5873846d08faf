import { expect, test } from 'vitest'
import { createVault } from './vault.ts'

const vault = createVault(new Uint8Array(32).fill(1))
const other = createVault(new Uint8Array(32).fill(2))
const text = Buffer.from('whsec_secret')

test('sealed text opens only in its own context, with the same secret', () => {
  const sealed = vault.seal(text, 'webhook 1 secret')
  expect(Buffer.from(vault.open(sealed, 'webhook 1 secret'))).toEqual(text)
  expect(() => vault.open(sealed, 'webhook 2 secret')).toThrow()
  expect(() => other.open(sealed, 'webhook 1 secret')).toThrow()
})

test('a sealed text with any changed byte does not open', () => {
  const sealed = vault.seal(text, 'context')
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed)
    changed[i] = (changed[i] ?? 0) ^ 1
    expect(() => vault.open(changed, 'context')).toThrow()
  }
  expect(() => vault.open(sealed.subarray(0, 20), 'context')).toThrow()
})

test('the same text is sealed differently each time, and is not visible', () => {
  // Many, because nonces are drawn for several hundred texts at a time.
  const sealed = Array.from({ length: 2_000 }, () => Buffer.from(vault.seal(text, 'context')))
  expect(new Set(sealed.map((one) => one.toString('hex'))).size).toBe(sealed.length)
  expect(sealed.some((one) => one.includes(text))).toBe(false)
})

test('each purpose has its own key, and each secret has other keys and another check value', () => {
  expect(vault.key('quota accounts')).toEqual(
    createVault(new Uint8Array(32).fill(1)).key('quota accounts'),
  )
  expect(vault.key('quota accounts')).not.toEqual(vault.key('login failures'))
  expect(vault.key('quota accounts')).not.toEqual(other.key('quota accounts'))
  expect(vault.checkValue).not.toBe(other.checkValue)
})
