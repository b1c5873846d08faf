import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { readPublicKey } from './public-key.ts'

const { publicKey } = generateKeyPairSync('ed25519')
const x = publicKey.export({ format: 'jwk' }).x ?? ''
const der = publicKey.export({ type: 'spki', format: 'der' })
const raw = Buffer.from(x, 'base64url')

test.each([
  ['the x of its JWK', x],
  ['base64', raw.toString('base64')],
  ['base64 without padding', raw.toString('base64').replace('=', '')],
  ['SPKI in PEM', publicKey.export({ type: 'spki', format: 'pem' }) as string],
  ['SPKI in base64', der.toString('base64')],
  ['SPKI in base64url', der.toString('base64url')],
])('a key is read from %s', (_form, text) => {
  expect(readPublicKey(text)).toBe(x)
})

const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey

test.each([
  ['nothing', ''],
  ['a word', 'key'],
  ['31 bytes', raw.subarray(1).toString('base64url')],
  ['33 bytes', Buffer.concat([raw, raw.subarray(0, 1)]).toString('base64url')],
  ['a stray character', `${x.slice(0, -1)}#`],
  ['stray bits at the end', `${x.slice(0, -1)}${x.endsWith('B') ? 'C' : 'B'}`],
  ['another kind of key', rsa.export({ type: 'spki', format: 'pem' }) as string],
  ['44 bytes that are no SPKI', Buffer.alloc(44, 1).toString('base64')],
])('%s is not a public key', (_form, text) => {
  expect(readPublicKey(text)).toBeNull()
})
