import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { isSignatureError, type Verifier, verifySignature } from 'http-message-sig'
import type { CallerOf } from '../domain/caller.ts'
import { forbidden } from '../domain/error.ts'
import type { Attestation } from '../fraud/rule.ts'
import type { Request } from '../http/request.ts'
import { digestProblem } from './content-digest.ts'

/** What became of a platform's signature. */
export interface Attested {
  readonly attestation: Attestation
  /** In words, what is wrong with one that does not hold. */
  readonly problem: string | null
  /** Names one that holds; the same request sent again has the same. */
  readonly signature: string | null
}

export type Attest = (
  caller: CallerOf<'agent' | 'platform'>,
  request: Request,
  bodyBytes: Uint8Array,
) => Promise<Attested>

export interface AttestOptions {
  readonly now: () => number
  /** The address that the client signed: where it believes the service to be. */
  readonly targetUriOf: (request: Request) => string
}

/** What the signature must cover: whom it is said to, and all that is said. */
export const COVERED = ['@method', '@target-uri', 'content-digest', 'content-type'] as const

/** A signature counts for five minutes to either side of its time, as a webhook of ours does. */
const WINDOW_SECONDS = 300

const UNSIGNED: Attested = { attestation: 'none', problem: null, signature: null }

/** Checks the signatures by which platforms attest what they report (RFC 9421, Ed25519). */
export function createAttest(options: AttestOptions): Attest {
  return async (caller, request, bodyBytes) => {
    if (caller.kind !== 'platform') {
      return UNSIGNED
    }
    const isSigned = request.headers.has('signature') || request.headers.has('signature-input')
    const keys = keysOf(caller, options.now())
    if (!isSigned || keys.length === 0) {
      if (caller.requireAttestation) {
        throw attestationRequired()
      }
      return UNSIGNED
    }
    const checked = await check(request, bodyBytes, keys, options)
    if (typeof checked === 'string') {
      // Held, it would still take its externalId, and be the platform's to answer for.
      if (caller.requireAttestation) {
        throw attestationRequired(checked)
      }
      return { attestation: 'invalid', problem: checked, signature: null }
    }
    return { attestation: 'valid', problem: null, signature: nameOf(checked) }
  }
}

function attestationRequired(problem = 'there is none') {
  return forbidden(`this platform’s reports are taken only with its signature: ${problem}`, {
    reason: 'attestation_required',
  })
}

/** The signature itself, or what is wrong. */
async function check(
  request: Request,
  bodyBytes: Uint8Array,
  keys: readonly Key[],
  { now, targetUriOf }: AttestOptions,
): Promise<Uint8Array | string> {
  const problem = digestProblem(request.headers.get('content-digest'), bodyBytes)
  if (problem !== null) {
    return problem
  }
  const fields = [...request.headers].map(([name, value]) => ({ name, value }))
  const message = {
    kind: 'request',
    method: request.method,
    targetUri: targetUriOf(request),
    fields,
  } as const
  try {
    const verified = await verifySignature(message, {
      policy: {
        algorithms: ['ed25519'],
        requiredComponents: COVERED,
        requiredParameters: ['created', 'keyid', 'alg'],
        // The library allows the skew on top of the age.
        maxAge: 0,
        clockSkew: WINDOW_SECONDS,
        now: Math.floor(now() / 1000),
      },
      resolveVerifier: ({ parameters }) => verifierOf(keys, parameters.keyid),
    })
    return verified.signature
  } catch (error) {
    if (error instanceof UnknownKey) {
      return error.message
    }
    if (isSignatureError(error)) {
      return problemOf(error)
    }
    throw error
  }
}

class UnknownKey extends Error {
  override readonly name = 'UnknownKey'
}

/**
 * What a `keyid` names: a key by itself or its thumbprint; by any other name, the platform's id among
 * them, whichever is in force, since the API key has said already whose it has to be.
 */
function verifierOf(keys: readonly Key[], keyid = ''): Verifier {
  const isKey = /^[\w-]{43}$/.test(keyid)
  const named = isKey ? keys.filter(({ names }) => names.includes(keyid)) : keys
  if (named.length === 0) {
    throw new UnknownKey('its keyid names no key that is in force for this platform')
  }
  return {
    algorithm: 'ed25519',
    verify: (data, signature) => named.some(({ key }) => verify(null, data, key, signature)),
  }
}

/** The library's words for a verifier that was not found are its own; ours are in the cause. */
function problemOf(error: Error & { readonly cause?: unknown }): string {
  if (error.cause instanceof UnknownKey) {
    return error.cause.message
  }
  return error.message.charAt(0).toLowerCase() + error.message.slice(1).replace(/\.$/, '')
}

interface Key {
  readonly key: KeyObject
  readonly names: readonly string[]
}

/** The keys in force, the newer one first. */
function keysOf({ publicKey, previousKey }: CallerOf<'platform'>, now: number): readonly Key[] {
  const previous = previousKey && previousKey.expiresAt > now ? [previousKey.publicKey] : []
  const all = [...(publicKey === null ? [] : [publicKey]), ...previous]
  return all.map((x) => ({
    key: createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
    names: [x, thumbprintOf(x)],
  }))
}

/** RFC 7638: the hash of the key's members in the order of their names. */
export function thumbprintOf(x: string): string {
  const canonical = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x })
  return createHash('sha256').update(canonical).digest('base64url')
}

/** Longer than any `externalId`, so that none is mistaken for it. */
function nameOf(signature: Uint8Array): string {
  return `signature:${createHash('sha512').update(signature).digest('hex')}`
}
