import { expect, test } from 'vitest'
import {
  bitstring,
  credentialPayload,
  didOf,
  isPayloadOf,
  isReservedType,
  readCredentialUrl,
  STATUS_LIST_LENGTH,
} from './verifiable-credential.ts'

const ID = '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'
const CREDENTIAL = {
  id: ID,
  agentId: ID,
  ownerId: ID,
  issuerId: ID,
  type: 'Audit',
  claims: { list: [1, { a: null }], text: 'x' },
  minimumScore: null,
  issuedAt: 1_800_000_000_999,
  expiresAt: 1_800_000_001_999,
  revokedAt: null,
  revocationReason: null,
  place: { list: 1, index: 131_071 },
}
const BASE = 'https://trust.example'

/** The examples of the did:web method, and what its rules make of the rest. */
test.each([
  ['https://w3c-ccg.github.io', 'did:web:w3c-ccg.github.io'],
  ['https://w3c-ccg.github.io/user/alice', 'did:web:w3c-ccg.github.io:user:alice'],
  ['https://example.com:3000/user/alice', 'did:web:example.com%3A3000:user:alice'],
  ['http://127.0.0.1:8080', 'did:web:127.0.0.1%3A8080'],
  ['HTTPS://Example.COM', 'did:web:example.com'],
  ['http://[::1]:8080', 'did:web:%5B%3A%3A1%5D%3A8080'],
])('the DID of the service at %s is %s', (baseUrl, did) => {
  expect(didOf(baseUrl)).toBe(did)
})

test.each([
  [`${BASE}/v1/credentials/${ID}`, BASE],
  [`https://a.example/b/v1/credentials/${ID}`, 'https://a.example/b'],
  [`${BASE}/v1/credentials/${ID}/`, undefined],
  [`${BASE}/v1/credentials/${ID}?a`, undefined],
  [`${BASE}/v1/credentials/${ID.toUpperCase()}`, undefined],
  [`${BASE}?/v1/credentials/${ID}`, undefined],
  [`urn:uuid:${ID}`, undefined],
  [undefined, undefined],
])('the service of credential %s is at %s', (url, baseUrl) => {
  expect(readCredentialUrl(url)?.baseUrl).toBe(baseUrl)
})

test('the first bit is the highest of the first byte, the last bit the lowest of the last', () => {
  const bits = bitstring([0, 9, STATUS_LIST_LENGTH - 1])
  expect(bits.length).toBe(16_384)
  expect([bits[0], bits[1], bits[2], bits.at(-1)]).toEqual([0x80, 0x40, 0, 0x01])
})

test('the expiry in whole seconds is never later than the expiry itself', () => {
  const payload = credentialPayload(CREDENTIAL, BASE, CREDENTIAL.issuedAt)
  expect(payload).toMatchObject({ nbf: 1_800_000_000, exp: 1_800_000_001 })
})

test('a claim cannot replace the subject', () => {
  const claims = { id: 'another' }
  const { credentialSubject } = credentialPayload({ ...CREDENTIAL, claims }, BASE, 0)
  expect(credentialSubject).toEqual({ id: `${BASE}/v1/agents/${ID}` })
})

test('a payload matches its record in any order of keys, and not with any change', () => {
  const payload = credentialPayload(CREDENTIAL, BASE, 5_000)
  const turned = Object.fromEntries(Object.entries(payload).reverse())
  expect(isPayloadOf(turned, CREDENTIAL, BASE)).toBe(true)
  expect(isPayloadOf({ ...payload, iat: 7 }, CREDENTIAL, BASE)).toBe(true)
  for (const name of Object.keys(payload)) {
    const { [name]: _gone, ...rest } = payload
    expect(isPayloadOf(rest, CREDENTIAL, BASE)).toBe(false)
    expect(isPayloadOf({ ...payload, [name]: 'x' }, CREDENTIAL, BASE)).toBe(false)
  }
  expect(isPayloadOf({ ...payload, more: 1 }, CREDENTIAL, BASE)).toBe(false)
  expect(isPayloadOf(payload, CREDENTIAL, `${BASE}/x`)).toBe(false)
})

test.each([
  'StandingScore',
  'Standing\u200bScore',
  'standing-score',
  'StandingScore2',
  'St\u0430ndingScore',
  'Verifiable Credential',
])('%s is reserved: an owner cannot issue it', (type) => expect(isReservedType(type)).toBe(true))

test.each(['SecurityAudit', 'KYC 2', 'Проверено', 'Understanding'])(
  '%s can be issued by an owner',
  (type) => expect(isReservedType(type)).toBe(false),
)
