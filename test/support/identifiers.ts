import type { IdentifierType } from '@standing/sdk'
import { CompactSign, type CryptoKey, exportJWK, generateKeyPair, type JWK } from 'jose'
import { refusal } from './http.ts'
import { newAgent, type TestService } from './service.ts'

export const CHALLENGE_PATH = '/.well-known/standing-challenge'

/** A claim of a new agent, and how to verify it. */
export async function newClaim(at: TestService, type: IdentifierType, value: string) {
  const { agent, client, owner } = await newAgent(at)
  const identifier = await client.identifiers.claim(agent.id, { type, value })
  return {
    agent,
    owner,
    client,
    identifier,
    challenge: identifier.challenge ?? '',
    verify: (signature?: string) =>
      client.identifiers.verify(
        agent.id,
        identifier.id,
        signature === undefined ? undefined : { signature },
      ),
    read: async () => (await client.identifiers.list(agent.id)).data[0],
  }
}

/** The one issue that a call was refused with. */
export async function problemOf(call: Promise<unknown>) {
  const { details } = await refusal(call)
  return details.issues?.[0] ?? details
}

/** The challenge as the payload of a compact JWS. */
export function signedBy(key: CryptoKey, challenge: string, header: object = {}): Promise<string> {
  return new CompactSign(Buffer.from(challenge))
    .setProtectedHeader({ alg: 'EdDSA', ...header })
    .sign(key)
}

export async function newEd25519(): Promise<{ privateKey: CryptoKey; jwk: JWK }> {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true })
  return { privateKey, jwk: await exportJWK(publicKey) }
}
