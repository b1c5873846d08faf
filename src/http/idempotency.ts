import { createHmac, hash } from 'node:crypto'
import { type Caller, modeOfCaller, principalOf } from '../domain/caller.ts'
import { canonicalJson } from '../domain/canonical-json.ts'
import { invalidField, TrustError } from '../domain/error.ts'
import { DAY_MS } from '../domain/time.ts'
import { isUuid } from '../domain/uuid.ts'
import { once } from '../lib/once.ts'
import type { Sealer } from '../lib/vault.ts'
import type { Store, StoredResponse } from '../store/store.ts'
import { type ErrorContext, errorResponse } from './errors.ts'
import type { StorageRoom } from './limits.ts'
import type { HeadersIn, Request } from './request.ts'
import type { Response } from './response.ts'

export interface IdempotencyOptions {
  readonly hashKey: Uint8Array
  readonly sealer: Sealer
  readonly now: () => number
}

/** Responses are stored for a day: no client repeats a request for longer. */
const STORED_RESPONSE_TTL_MS = DAY_MS

const REPLAYED = { 'idempotent-replayed': 'true' }

/** The Idempotency-Key of a request, bare or in quotes; null when it has none. */
export function idempotencyKeyOf(headers: HeadersIn): string | null {
  const value = headers.get('idempotency-key')
  if (value === null) {
    return null
  }
  const quoted = /^"(.*)"$/.exec(value)?.[1]
  const isOpen = quoted === undefined && value.startsWith('"')
  const key = quoted ?? value
  if (!isOpen && /^[\x21-\x7e]{1,255}$/.test(key)) {
    return key
  }
  throw invalidField(
    'header.Idempotency-Key',
    'must be 1 to 255 visible ASCII characters, bare or in double quotes',
  )
}

/**
 * A request with an Idempotency-Key. Only this code decides whether it runs and whether its
 * response is stored; both happen in the transaction of its effect.
 */
export interface IdempotentRequest {
  /** A keyed hash of the caller, the operation and the key. */
  readonly scope: Uint8Array
  /**
   * The response of the earlier request with this key; null when this one is to be carried out. An
   * error when the earlier one is still being carried out, or was another request, and when there is no room for
   * another response.
   */
  earlier(stored: StoredResponse | 'busy' | null | undefined): Response | TrustError | null
  /** The response with the record to store of it; the record is null where it is not stored. */
  settle(outcome: Response | TrustError): Settled
}

export interface Settled {
  readonly response: Response | TrustError
  readonly stored: StoredResponse | null
}

/** What identifies a request, together with its caller and its path. */
interface KeyedRequest {
  readonly key: string
  readonly bodyBytes: Uint8Array
  /** The JSON of the body; undefined where it has none. */
  readonly json: unknown
  readonly error: ErrorContext
  /** The room for its response; null where nothing limits it. */
  readonly room: StorageRoom | null
  /** Whether it is carried out without room too; its response is not stored then. */
  readonly isNeverLimited: boolean
}

/**
 * What is sealed of a request. The fingerprint is that of the bytes, which most retries repeat. For a retry that spells
 * the same JSON in another way, the fingerprint of the canonical form is sealed with the response. Nodes of former
 * releases ignore it, and the responses that they stored do not have it.
 */
type SealedResponse = Response & { readonly canonical?: string | undefined }

export function idempotentRequest(
  { hashKey, sealer, now }: IdempotencyOptions,
  caller: Caller,
  { method, path, search }: Request,
  { key, bodyBytes, json, error, room, isNeverLimited }: KeyedRequest,
): IdempotentRequest {
  // Anonymous callers share no scope: their whole body takes the place of the caller's identity.
  const own = caller.kind === 'anonymous' ? bodyBytes : ''
  const who = caller.kind === 'anonymous' ? 'anonymous' : principalOf(caller) + markOf(caller)
  const scope = mac(hashKey, ['scope', who, method, withIdsInLowerCase(path), key, own])
  const fingerprint = mac(hashKey, ['fingerprint', search, bodyBytes])
  // Only a request that is carried out, or is not the same byte by byte, needs it. Sealed, so it needs no key.
  const canonical = once(() =>
    json === undefined
      ? undefined
      : hash('sha256', `${search}\n${canonicalJson(json)}`, 'base64url'),
  )
  const sealContext = scope.toString('hex')
  return {
    scope,
    earlier(stored) {
      if (stored === 'busy') {
        return inProgress()
      }
      if (!stored || stored.expiresAt <= now()) {
        return isNeverLimited ? null : (room?.refusal ?? null)
      }
      const opened = Buffer.from(sealer.open(stored.sealed, sealContext)).toString()
      const { canonical: itsCanonical, ...response } = JSON.parse(opened) as SealedResponse
      const isSame =
        fingerprint.equals(stored.fingerprint) ||
        (itsCanonical !== undefined && itsCanonical === canonical())
      if (!isSame) {
        return keyReused()
      }
      return { ...response, headers: { ...response.headers, ...REPLAYED } }
    },
    settle(outcome) {
      const hasRoom = !room?.refusal
      if (!hasRoom || (outcome instanceof TrustError && !isStored(outcome))) {
        return { response: outcome, stored: null }
      }
      const response = outcome instanceof TrustError ? errorResponse(outcome, error) : outcome
      const content: SealedResponse = { ...response, canonical: canonical() }
      const sealed = sealer.seal(Buffer.from(JSON.stringify(content)), sealContext)
      room?.add(sealed.byteLength)
      const expiresAt = now() + STORED_RESPONSE_TTL_MS
      return { response, stored: { scope, fingerprint, sealed, expiresAt } }
    },
  }
}

/** The operator asks for a mode by a header; the ids of all other callers name theirs. */
function markOf(caller: Caller): string {
  return caller.kind === 'operator' && modeOfCaller(caller) === 'test' ? ' test' : ''
}

/** An id in capitals names the same, so that a request with it is the same. */
function withIdsInLowerCase(path: string): string {
  const parts = path.split('/').map((part) => {
    const id = part.toLowerCase()
    return isUuid(id) ? id : part
  })
  return parts.join('/')
}

function mac(hashKey: Uint8Array, parts: readonly (string | Uint8Array)[]): Buffer {
  const hmac = createHmac('sha256', hashKey)
  for (const part of parts) {
    hmac.update(`${part.length}:`).update(part)
  }
  return hmac.digest()
}

function inProgress(): TrustError {
  return new TrustError(
    'IDEMPOTENCY_IN_PROGRESS',
    'a request with this Idempotency-Key is being processed; retry in a moment',
    {},
    1,
  )
}

function keyReused(): TrustError {
  return new TrustError(
    'IDEMPOTENCY_KEY_REUSED',
    'this Idempotency-Key was used for another request; a new request needs a new key',
  )
}

/** A refusal by the operation itself is stored; after any other the request may run again. */
function isStored({ code }: TrustError): boolean {
  switch (code) {
    case 'VALIDATION_ERROR':
    case 'FORBIDDEN':
    case 'NOT_FOUND':
    case 'CONFLICT':
      return true
    default:
      return false
  }
}

/**
 * Runs an operation in one transaction, once for its Idempotency-Key. A refusal that is stored undoes
 * what the operation wrote; any other error undoes everything.
 */
export function transactOnce(
  store: Store,
  request: IdempotentRequest | null,
  now: () => number,
  work: (store: Store) => Promise<Response>,
): Promise<Response> {
  return store.transaction(async (within) => {
    if (!request) {
      return work(within)
    }
    const earlier = await earlierResponse(within, request, now)
    if (earlier) {
      return earlier
    }
    const settled = request.settle(await within.transaction(work).catch(refusalIn))
    return storeResponse(within, settled)
  })
}

/**
 * Runs an operation in two parts, once for its Idempotency-Key: the first takes long and writes
 * nothing, so it has no transaction; the second writes its result in one.
 */
export async function transactAfter<T>(
  store: Store,
  request: IdempotentRequest | null,
  now: () => number,
  { prepare, work }: TwoParts<T>,
): Promise<Response> {
  const earlier =
    request && (await store.transaction((within) => earlierResponse(within, request, now)))
  if (earlier) {
    return earlier
  }
  const prepared = await prepare().then((value) => ({ value }), refusalIn)
  return transactOnce(store, request, now, async (within) => {
    if (prepared instanceof TrustError) {
      throw prepared
    }
    return work(within, prepared.value)
  })
}

export interface TwoParts<T> {
  readonly prepare: () => Promise<T>
  readonly work: (store: Store, prepared: T) => Promise<Response>
}

/**
 * Runs an operation, and stores the response for its Idempotency-Key. No transaction is open meanwhile: it would
 * hold a connection while the operation waits for another one. So the operation must be safe to run twice: two
 * requests at once both run it, and so does one that is repeated after a crash.
 */
export async function respondOnce(
  store: Store,
  request: IdempotentRequest | null,
  now: () => number,
  work: () => Promise<Response>,
): Promise<Response> {
  if (!request) {
    return work()
  }
  const earlier = await store.transaction((within) => earlierResponse(within, request, now))
  if (earlier) {
    return earlier
  }
  const settled = request.settle(await work().catch(refusalIn))
  // Of simultaneous requests with one key, the response that is stored first counts.
  return store.transaction(
    async (within) =>
      (await earlierResponse(within, request, now)) ?? (await storeResponse(within, settled)),
  )
}

/** The response of the earlier request with this key; null when there is none. */
async function earlierResponse(
  within: Store,
  request: IdempotentRequest,
  now: () => number,
): Promise<Response | null> {
  const earlier = request.earlier(await within.idempotency.reserve(request.scope, now()))
  return earlier && responseOf(earlier)
}

async function storeResponse(within: Store, { response, stored }: Settled): Promise<Response> {
  if (stored) {
    await within.idempotency.insert(stored)
  }
  return responseOf(response)
}

/** An error that is not stored undoes the transaction. */
function responseOf(outcome: Response | TrustError): Response {
  if (outcome instanceof TrustError) {
    throw outcome
  }
  return outcome
}

function refusalIn(error: unknown): TrustError {
  if (error instanceof TrustError) {
    return error
  }
  throw error
}
