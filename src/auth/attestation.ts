import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import {
  isSignatureError,
  type MessageDescriptor,
  type Verifier,
  verifySignature,
} from 'http-message-sig'
import type { CallerOf } from '../domain/caller.ts'
import { forbidden } from '../domain/error.ts'
import type { Attestation } from '../fraud/rule.ts'
import { labelsOf } from '../lib/signature-labels.ts'
import { digestProblem } from './content-digest.ts'

/** What a signature may cover of a request. */
export interface SignedRequest {
  readonly method: string
  readonly path: string
  /** With its question mark; empty without a query. */
  readonly search: string
  readonly headers: Iterable<readonly [name: string, value: string]> & {
    get(name: string): string | null
    has(name: string): boolean
  }
}

/** The result of checking a platform's signature. */
export interface Attested {
  readonly attestation: Attestation
  /** What is wrong with an invalid signature, in words. */
  readonly problem: string | null
  /** The id of a valid signature; a repeated request has the same one. */
  readonly signature: string | null
}

export type Attest = (
  caller: CallerOf<'agent' | 'platform'>,
  request: SignedRequest,
  bodyBytes: Uint8Array,
) => Promise<Attested>

export interface AttestOptions {
  readonly now: () => number
  /** The address of the service, which a signed request must name; null where any is accepted. */
  readonly publicUrl: string | null
}

/** What the signature must cover: the addressee and the whole message. */
const COVERED = ['@method', '@target-uri', 'content-digest', 'content-type'] as const

/** A signature is valid for five minutes before and after its time, as that of a notification. */
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
        const why =
          keys.length === 0
            ? 'it has no public key to check them with'
            : 'this one has no signature'
        throw attestationRequired(why)
      }
      return UNSIGNED
    }
    const checked = await check(request, bodyBytes, keys, options)
    if (typeof checked === 'string') {
      // Quarantined, it would still take its externalId and count against the platform.
      if (caller.requireAttestation) {
        throw attestationRequired(`this signature is not valid: ${checked}`)
      }
      return { attestation: 'invalid', problem: checked, signature: null }
    }
    return { attestation: 'valid', problem: null, signature: nameOf(checked) }
  }
}

function attestationRequired(problem: string) {
  return forbidden(`this platform must sign its reports, and ${problem}`, {
    reason: 'attestation_required',
  })
}

/**
 * The signature itself, or what is wrong. A proxy may have added signatures of its own, so the first one that holds
 * counts; where none does, the first one says what is wrong.
 */
async function check(
  request: SignedRequest,
  bodyBytes: Uint8Array,
  keys: readonly Key[],
  { now, publicUrl }: AttestOptions,
): Promise<Uint8Array | string> {
  const problem = digestProblem(request.headers.get('content-digest'), bodyBytes)
  if (problem !== null) {
    return problem
  }
  const fields = [...request.headers].map(([name, value]) => ({ name, value }))
  const message = {
    kind: 'request',
    method: request.method,
    targetUri: targetUriOf(request, publicUrl),
    fields,
  } as const
  const [first = null, ...others] = labelsOf(request.headers.get('signature-input') ?? '')
  const checked = await checkOne(message, first, keys, now())
  for (const label of typeof checked === 'string' ? others : []) {
    const other = await checkOne(message, label, keys, now())
    if (typeof other !== 'string') {
      return other
    }
  }
  return checked
}

/** The URI that the client signed: under the public URL if one is set, else as the client named it. */
function targetUriOf({ headers, path, search }: SignedRequest, publicUrl: string | null): string {
  const base = publicUrl ?? `http://${headers.get('host') ?? ''}`
  return `${base}${path}${search}`
}

async function checkOne(
  message: MessageDescriptor,
  label: string | null,
  keys: readonly Key[],
  now: number,
): Promise<Uint8Array | string> {
  try {
    const verified = await verifySignature(message, {
      ...(label === null ? {} : { label }),
      policy: {
        algorithms: ['ed25519'],
        requiredComponents: COVERED,
        requiredParameters: ['created', 'keyid', 'alg'],
        // The library allows the skew on top of the age.
        maxAge: 0,
        clockSkew: WINDOW_SECONDS,
        now: Math.floor(now / 1000),
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
 * A `keyid` that is a key or a thumbprint names that key. Any other one, such as the platform's id,
 * names every active key: the API key has already identified the platform.
 */
function verifierOf(keys: readonly Key[], keyid = ''): Verifier {
  const isKey = /^[\w-]{43}$/.test(keyid)
  const named = isKey ? keys.filter(({ names }) => names.includes(keyid)) : keys
  if (named.length === 0) {
    throw new UnknownKey('its keyid is not the name of an active key of this platform')
  }
  return {
    algorithm: 'ed25519',
    verify: (data, signature) => named.some(({ key }) => verify(null, data, key, signature)),
  }
}

/** For a verifier that was not found the library has a message of its own; ours is the cause. */
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

/** The active keys, the newer one first. */
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

/** Longer than any `externalId`, so that it cannot be mistaken for one. */
function nameOf(signature: Uint8Array): string {
  return `signature:${createHash('sha512').update(signature).digest('hex')}`
}
