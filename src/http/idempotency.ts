import { createHmac } from 'node:crypto'
import { type Caller, principalOf } from '../domain/caller.ts'
import { invalidField, TrustError } from '../domain/error.ts'
import type { Sealer } from '../lib/vault.ts'
import { STORED_RESPONSE_TTL_MS, type Store, type StoredResponse } from '../store/store.ts'
import { errorResponse } from './errors.ts'
import type { HeadersIn, Request } from './request.ts'
import type { Response } from './response.ts'
import type { IdempotentRequest } from './route.ts'

export interface IdempotencyOptions {
  readonly hashKey: Uint8Array
  readonly sealer: Sealer
  readonly now: () => number
}

const REPLAYED = { 'idempotent-replayed': 'true' }

/** Forgets every kept answer whose day is over: it may hold a secret, and nobody is given it again. */
export async function forgetExpired({ idempotency }: Store, now: number): Promise<void> {
  while ((await idempotency.sweep(now)) > 0) {}
}

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

/** How this request's answer is kept: by who asks, what, and by which key. */
export function idempotentRequest(
  { hashKey, sealer, now }: IdempotencyOptions,
  caller: Caller,
  { method, path, search }: Request,
  { key, bodyBytes, requestId }: { key: string; bodyBytes: Uint8Array; requestId: string },
): IdempotentRequest {
  const mac = (...parts: (string | Uint8Array)[]) => {
    const hmac = createHmac('sha256', hashKey)
    for (const part of parts) {
      hmac.update(`${part.length}:`).update(part)
    }
    return hmac.digest()
  }
  // Strangers share no scope: without a caller to tell them apart, the whole body does.
  const own = caller.kind === 'anonymous' ? bodyBytes : ''
  const who = caller.kind === 'anonymous' ? 'anonymous' : principalOf(caller)
  const scope = mac('scope', who, method, path, key, own)
  const fingerprint = mac('fingerprint', search, bodyBytes)
  const scopeHex = scope.toString('hex')
  const keep = (answer: Response): StoredResponse => ({
    scope,
    fingerprint,
    sealed: sealer.seal(Buffer.from(JSON.stringify(answer)), scopeHex),
    expiresAt: now() + STORED_RESPONSE_TTL_MS,
  })
  return {
    scope,
    scopeHex,
    keep,
    keepRefusal: (error) => (isKept(error) ? keep(errorResponse(error, requestId)) : null),
    replay(kept) {
      if (!fingerprint.equals(kept.fingerprint)) {
        throw new TrustError(
          'IDEMPOTENCY_KEY_REUSED',
          'this Idempotency-Key was used for another request; a new request needs a new key',
        )
      }
      const answer = JSON.parse(
        Buffer.from(sealer.open(kept.sealed, scopeHex)).toString(),
      ) as Response
      return { ...answer, headers: { ...answer.headers, ...REPLAYED } }
    },
  }
}

export function inProgress(): TrustError {
  return new TrustError(
    'IDEMPOTENCY_IN_PROGRESS',
    'a request with this Idempotency-Key is being carried out; ask again in a moment',
    {},
    1,
  )
}

/** Runs the operation once for its key, and keeps what it answered with what it did. */
export function transactOnce(
  store: Store,
  keeping: IdempotentRequest | null,
  { now, requestId }: { readonly now: () => number; readonly requestId: string },
  work: (store: Store) => Promise<Response>,
): Promise<Response> {
  return store.transaction(async (within) => {
    if (!keeping) {
      return work(within)
    }
    const kept = await within.idempotency.reserve(keeping.scope, now())
    if (kept === 'busy') {
      throw inProgress()
    }
    if (kept) {
      return keeping.replay(kept)
    }
    const answer = await orRefusal(requestId, () => within.attempt(() => work(within)))
    await within.idempotency.store(keeping.keep(answer))
    return answer
  })
}

/** A refusal that the operation decided on is an answer to keep; other errors undo everything. */
async function orRefusal(requestId: string, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof TrustError && isKept(error)) {
      return errorResponse(error, requestId)
    }
    throw error
  }
}

function isKept({ code }: TrustError): boolean {
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
