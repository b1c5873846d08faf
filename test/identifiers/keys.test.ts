import { bytesToMultibase, createJWS, EdDSASigner, ES256KSigner } from 'did-jwt'
import { CompactSign, exportJWK, generateKeyPair, type JWK } from 'jose'
import { describe, expect, test } from 'vitest'
import { jwkOfMultibase, keyOfJwk } from '../../src/identifiers/keys.ts'
import { signerOf } from '../../src/identifiers/signature.ts'

const CHALLENGE = 'standing-challenge=https://trust.example.com/agents/1#abc'

/** did-jwt takes a payload that is encoded already. */
const ENCODED = Buffer.from(CHALLENGE).toString('base64url')

async function jws(alg: string, payload = CHALLENGE) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const signed = await new CompactSign(Buffer.from(payload))
    .setProtectedHeader({ alg })
    .sign(privateKey)
  return { jwk: await exportJWK(publicKey), signed }
}

async function keyIn(jwk: JWK) {
  const key = await keyOfJwk(jwk)
  if (!key) {
    throw new Error('the key of this test can be used')
  }
  return key
}

describe('a challenge signed by jose', () => {
  test.each(['EdDSA', 'Ed25519', 'ES256', 'ES384', 'RS256', 'PS256'])(
    'with %s is verified with that key, and with no other',
    async (alg) => {
      const { jwk, signed } = await jws(alg)
      const other = await keyIn((await jws(alg)).jwk)
      const key = await keyIn(jwk)
      expect(signerOf(signed, CHALLENGE, [other, key])).toBe(key)
      expect(signerOf(signed, CHALLENGE, [other])).toBeNull()
      expect(signerOf(signed, `${CHALLENGE}d`, [key])).toBeNull()
    },
  )

  test('with a detached payload is accepted, with another payload refused', async () => {
    const { jwk, signed } = await jws('EdDSA')
    const [head, , signature] = signed.split('.')
    const key = await keyIn(jwk)
    expect(signerOf(`${head}..${signature}`, CHALLENGE, [key])).toBe(key)
    const other = await jws('EdDSA', 'something else')
    expect(signerOf(other.signed, CHALLENGE, [await keyIn(other.jwk)])).toBeNull()
  })

  test('whose header names another algorithm, none, or an extension is refused', async () => {
    const { jwk, signed } = await jws('EdDSA')
    const key = await keyIn(jwk)
    const [, payload, signature] = signed.split('.')
    for (const header of [
      { alg: 'none' },
      { alg: 'HS256' },
      { alg: 'ES256' },
      { alg: 'EdDSA', crit: ['b64'], b64: false },
      [],
      null,
    ]) {
      const head = Buffer.from(JSON.stringify(header)).toString('base64url')
      expect(signerOf(`${head}.${payload}.${signature}`, CHALLENGE, [key])).toBeNull()
    }
  })
})

test('a did:key that did-jwt created and signed with is read, for Ed25519 and for secp256k1', async () => {
  const secret = new Uint8Array(32).fill(7)
  const { secp256k1 } = await import('@noble/curves/secp256k1.js')
  const { ed25519 } = await import('@noble/curves/ed25519.js')
  const pairs = [
    {
      multibase: bytesToMultibase(secp256k1.getPublicKey(secret), 'base58btc', 'secp256k1-pub'),
      signed: await createJWS(ENCODED, ES256KSigner(secret), { alg: 'ES256K' }),
    },
    {
      multibase: bytesToMultibase(ed25519.getPublicKey(secret), 'base58btc', 'ed25519-pub'),
      signed: await createJWS(
        ENCODED,
        EdDSASigner(Buffer.concat([secret, ed25519.getPublicKey(secret)])),
        { alg: 'EdDSA' },
      ),
    },
  ]
  for (const { multibase, signed } of pairs) {
    const key = await keyOfJwk(jwkOfMultibase(multibase))
    expect(key && signerOf(signed, CHALLENGE, [key])).toBe(key)
  }
})

test('the did:key of the specification’s example is read as the key that it names', async () => {
  const key = await keyOfJwk(jwkOfMultibase('z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'))
  expect(key?.key.export({ format: 'jwk' })).toEqual({
    kty: 'OKP',
    crv: 'Ed25519',
    x: 'Lm_M42cB3HkUiODQsXRcweM6TByfzEHGO9ND274JcOY',
  })
})

test('malformed, weak and unknown kinds of keys are refused', async () => {
  const weak = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true })
  const rsa = await exportJWK(weak.publicKey)
  for (const jwk of [
    null,
    'key',
    {},
    { kty: 'oct', k: 'AAAA' },
    { kty: 'OKP', crv: 'X25519', x: 'Lm_M42cB3HkUiODQsXRcweM6TByfzEHGO9ND274JcOY' },
    { kty: 'OKP', crv: 'Ed25519', x: 'AAAA' },
    { kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' },
    { ...rsa, n: rsa.n?.slice(0, 171) },
  ]) {
    expect(await keyOfJwk(jwk)).toBeNull()
  }
  for (const text of ['', 'z', 'z0', 'mAAAA', `z${'1'.repeat(200)}`, 'z6Mk']) {
    expect(await keyOfJwk(jwkOfMultibase(text))).toBeNull()
  }
})
