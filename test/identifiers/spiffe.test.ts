import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { prove } from '../../src/identifiers/prove.ts'
import { createPolicy } from '../../src/outbound/address.ts'
import type { Fetched } from '../../src/outbound/fetch-document.ts'
import type { Outbound } from '../../src/outbound/outbound.ts'

const NOW = Date.parse('2026-06-15T11:00:00.000Z')
const ID = 'spiffe://example.org/agents/invoices'
const claim = { type: 'spiffe', value: ID, challenge: 'standing-challenge=one' } as const

/** The web as a trust domain publishes it; a trust domain has no port that a test could listen on. */
function webOf(pages: Readonly<Record<string, unknown>>): Outbound {
  const fetch = async (url: string): Promise<Fetched> =>
    url in pages
      ? { document: { url, text: JSON.stringify(pages[url]), headers: {} } }
      : { problem: { code: 'not_found', message: 'answered 404', isAnswered: true } }
  const txt = async () => ({ records: [], isAnswered: true })
  return { policy: createPolicy([]), fetch, txt, close: async () => {} }
}

describe('a JWT-SVID proves a SPIFFE id', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const discovery = 'https://example.org/.well-known/openid-configuration'
  const outbound = webOf({
    [discovery]: { jwks_uri: 'https://example.org/keys' },
    'https://example.org/keys': { keys: [{ ...(await exportJWK(publicKey)), kid: 'one' }] },
  })
  const reading = { outbound, chainRpc: new Map(), now: () => NOW }

  const svid = (claims: { sub: string; aud: string[]; exp: number }, key = privateKey) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(key)
  const good = { sub: ID, aud: [claim.challenge], exp: NOW / 1000 + 60 }

  test('if it is about this id, for this challenge, and not expired', async () => {
    expect(await prove(reading, claim, await svid(good))).toMatchObject({
      proof: { method: 'signature' },
    })
    for (const wrong of [
      { ...good, sub: 'spiffe://example.org/agents/other' },
      { ...good, aud: ['https://trust.example.com'] },
      { ...good, exp: NOW / 1000 - 1 },
    ]) {
      expect(await prove(reading, claim, await svid(wrong))).toMatchObject({
        problem: { code: 'signature_invalid' },
      })
    }
  })

  test('if a key of the trust domain signed it', async () => {
    const other = await generateKeyPair('ES256')
    expect(await prove(reading, claim, await svid(good, other.privateKey))).toMatchObject({
      problem: { code: 'signature_invalid' },
    })
    const elsewhere = webOf({ [discovery]: { jwks_uri: 'https://example.com/keys' } })
    const proven = prove({ ...reading, outbound: elsewhere }, claim, await svid(good))
    expect(await proven).toMatchObject({ problem: { code: 'key_not_found' } })
  })
})
