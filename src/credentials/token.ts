import { CompactSign, type CryptoKey, compactVerify } from 'jose'
import type { Signature } from '../domain/credential.ts'
import { didOf, type Payload } from '../domain/verifiable-credential.ts'
import { isJsonObject } from '../lib/json-object.ts'
import { ALGORITHM, absoluteKid, type OpenKey, type SigningKeys } from '../signing/keys.ts'
import type { Store } from '../store/store.ts'
import { checkNotHalted } from './halt.ts'

const TYPE = 'vc+jwt'
const CONTENT_TYPE = 'vc'

/** The media type of a token by itself (VC-JOSE-COSE). */
export const TOKEN_MEDIA_TYPE = 'application/vc+jwt'

/** The DID that signs, and the thumbprint of its key. */
const KID = /^(did:web:[^#]+)#([\w-]{43})$/

export type Signer = (payload: Payload) => Promise<Omit<Signature, 'signedAt'>>

/** The signer for the service at this address, with the active key. */
export async function signerOf(keys: SigningKeys, within: Store, baseUrl: string): Promise<Signer> {
  const key = await keys.signing(within)
  const issuer = didOf(baseUrl)
  return async (payload) => ({ issuer, kid: key.kid, jwt: await signToken(payload, issuer, key) })
}

/**
 * The signer of statements about agents: live ones are not signed while the operator has halted the
 * issuing. Status lists are, so that verifiers learn of revocations.
 */
export async function issuerOf(keys: SigningKeys, within: Store, baseUrl: string): Promise<Signer> {
  if (keys.purpose === 'credentials') {
    await checkNotHalted(within)
  }
  return signerOf(keys, within, baseUrl)
}

function signToken(payload: Payload, issuer: string, key: OpenKey): Promise<string> {
  return new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader(headerOf(absoluteKid(issuer, key.kid)))
    .sign(key.privateKey)
}

function headerOf(kid: string) {
  return { alg: ALGORITHM, typ: TYPE, cty: CONTENT_TYPE, kid }
}

export interface OpenedToken {
  readonly payload: Payload
  /** The DID in whose name its key signs. */
  readonly signer: string
}

/** The key with this thumbprint, if its signatures are still valid. */
export type FindKey = (kid: string) => Promise<CryptoKey | null>

/**
 * The content of a token of this service; null for any other. Nothing in it is trusted before the
 * signature is verified: its header only selects one of the service's keys, never the algorithm or
 * a key of its own.
 */
export async function openToken(token: string, findKey: FindKey): Promise<OpenedToken | null> {
  const parts = token.split('.')
  if (parts.length !== 3 || !parts.every(isCanonical)) {
    return null
  }
  const [, signer, kid] = KID.exec(kidOf(parts[0] ?? '') ?? '') ?? []
  const key = kid === undefined ? null : await findKey(kid)
  if (!key || signer === undefined) {
    return null
  }
  try {
    const verified = await compactVerify(token, key, { algorithms: [ALGORITHM] })
    const payload = objectOf(Buffer.from(verified.payload))
    return payload && { payload, signer }
  } catch {
    return null
  }
}

/** Each token has one spelling: other padding, spaces or stray bits make it invalid. */
function isCanonical(part: string): boolean {
  return part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part
}

/**
 * The `kid` of a header that is exactly as this service writes it. One with another algorithm or
 * type, with a key, or with critical parameters is not from this service.
 */
function kidOf(part: string): string | null {
  const kid = objectOf(Buffer.from(part, 'base64url'))?.kid
  if (typeof kid !== 'string') {
    return null
  }
  return Buffer.from(JSON.stringify(headerOf(kid))).toString('base64url') === part ? kid : null
}

function objectOf(bytes: Buffer): Payload | null {
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}
