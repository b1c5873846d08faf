import {
  type CredentialKind,
  type CredentialOptions,
  chosen,
  credentialsOf,
} from './credentials.ts'
import { errorOf, invalidCall, StandingError } from './error.ts'
import { RETRY_POLICY, type RetryPolicy, retryDelayMs } from './retry.ts'
import { createSign, type SigningKey } from './sign.ts'
import { type Query, urlOf } from './url.ts'
import { VERSION } from './version.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
/** A key given in another's place serves all the same, as what it is. */
export interface StandingOptions extends CredentialOptions {
  /** Where the service is, such as `https://trust.example.com`. */
  readonly baseUrl: string
  /** A platform's Ed25519 key: what it reports is signed with it, and so provably its own. */
  readonly signingKey?: SigningKey | undefined
  /** Another `fetch`, for a proxy, an agent or signed requests. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** The most that one attempt may take, its body included. 30 s. */
  readonly timeoutMs?: number | undefined
  /** How often a call is repeated where that can help. 4; 0 turns repeating off. */
  readonly retriesMax?: number | undefined
  /** The longest `Retry-After` that is waited for; a longer one is thrown at once. 65 s. */
  readonly retryAfterMaxMs?: number | undefined
  /** How to wait between attempts, for those who bring their own clock. */
  readonly wait?: ((ms: number, signal: AbortSignal | undefined) => Promise<void>) | undefined
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

export interface WriteOptions extends CallOptions {
  /** 1 to 255 visible ASCII characters; a fresh one for each call by default. */
  readonly idempotencyKey?: string | undefined
}

export interface Call {
  readonly method: Method
  readonly path: string
  /** In order of preference: the first that the client has is sent. Empty for an anonymous call. */
  readonly as: readonly CredentialKind[]
  readonly query?: Query | undefined
  readonly body?: unknown
  /** True for what changes something, and so goes with an Idempotency-Key. */
  readonly write: boolean
  /** True for an answer that is not JSON: it is given as text. */
  readonly isText?: boolean | undefined
  readonly options?: WriteOptions | undefined
}

/** Makes a call, repeated where that is safe and can help. `T` is the service's word, not checked here. */
export type Send = <T>(call: Call) => Promise<T>

// Above the service's own statement and queue timeouts, so that it answers before we hang up.
const TIMEOUT_MS = 30_000

/** A browser names itself, and one that lets a page do so asks the service for leave first. */
const USER_AGENT =
  typeof process === 'object' && process.versions?.node ? `standing-sdk/${VERSION}` : undefined

export function createTransport(options: StandingOptions): Send {
  const policy: RetryPolicy = {
    retriesMax: options.retriesMax ?? RETRY_POLICY.retriesMax,
    retryAfterMaxMs: options.retryAfterMaxMs ?? RETRY_POLICY.retryAfterMaxMs,
  }
  const wait = options.wait ?? waitFor
  const sign = options.signingKey === undefined ? undefined : createSign(options.signingKey)
  const credentials = credentialsOf(options)
  checkBase(options.baseUrl)

  return async <T>(call: Call): Promise<T> => {
    const signal = call.options?.signal
    // Made once: every attempt must carry the same key, or a repeat would be a second effect.
    const url = urlOf(options.baseUrl, call.path, call.query)
    const init = initOf(credentials, call)
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted()
      // Signed for each attempt: a signature is good for five minutes only.
      const signed = sign && isReport(credentials, call) ? await sign(url, init) : init
      const answer = await attemptOnce(options, url, signed, call)
      if (!(answer instanceof StandingError)) return answer.body as T
      const delayMs = retryDelayMs(answer, attempt, policy, Math.random())
      if (delayMs === undefined) throw answer
      await wait(delayMs, signal)
    }
  }
}

function checkBase(baseUrl: string): void {
  if (!URL.canParse(baseUrl)) throw invalidCall(`${baseUrl} is not a URL`)
  // `localhost:8080` parses, as an address of the scheme `localhost:`.
  if (/^https?:/i.test(baseUrl)) return
  throw invalidCall(`${baseUrl} is not a URL of a service: it begins with http:// or https://`)
}

/** What a platform says of an agent is signed, and nothing else. */
function isReport({ apiKey }: CredentialOptions, { method, path, as }: Call): boolean {
  const isPlatform = as.includes('apiKey') && apiKey?.startsWith('avp_') === true
  return isPlatform && method === 'POST' && /^\/v1\/agents\/[^/]+\/events(\/batch)?$/.test(path)
}

async function attemptOnce(
  options: StandingOptions,
  url: string,
  init: RequestInit,
  { isText, options: callOptions }: Call,
): Promise<{ readonly body: unknown } | StandingError> {
  const signal = callOptions?.signal
  const { fetch = globalThis.fetch, timeoutMs = TIMEOUT_MS } = options
  const own = new AbortController()
  const abort = () => own.abort(signal?.reason)
  const timer = setTimeout(() => own.abort(), timeoutMs)
  signal?.addEventListener('abort', abort)
  try {
    const response = await fetch(url, { ...init, signal: own.signal })
    const text = await response.text()
    return isText && response.ok ? { body: text } : read(response, text)
  } catch (cause) {
    signal?.throwIfAborted()
    if (!own.signal.aborted) return unreachable(url, cause)
    const message = `no answer within ${timeoutMs} ms`
    return new StandingError({ status: 0, code: 'TIMEOUT', message, cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

function read(response: Response, text: string): { readonly body: unknown } | StandingError {
  const body = text === '' ? undefined : parse(text)
  if (!response.ok) return errorOf(response, body, Date.now())
  // A 2xx that is not JSON comes from something that stands in front of the service.
  if (text === '' || body !== undefined) return { body }
  const message = `the answer is not JSON: ${text.slice(0, 80)}`
  return new StandingError({ status: response.status, code: 'UNEXPECTED_RESPONSE', message })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function unreachable(url: string, cause: unknown): StandingError {
  // fetch says only "fetch failed"; the reason (ECONNREFUSED, ENOTFOUND) is its cause's. Where several
  // addresses were tried, that cause has a code and no message.
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  const { message: said, code } = inner as { message?: string; code?: string }
  const reason = said || code || String(inner)
  const message = `can't reach ${new URL(url).origin}: ${reason}`
  return new StandingError({ status: 0, code: 'NETWORK_ERROR', message, cause })
}

function initOf(credentials: CredentialOptions, call: Call): RequestInit {
  const headers = new Headers({ accept: 'application/json' })
  if (USER_AGENT) headers.set('user-agent', USER_AGENT)
  const kind = chosen(credentials, call.as)
  if (kind === 'token') headers.set('authorization', `Bearer ${credentials.token}`)
  else if (kind !== undefined) headers.set('x-api-key', String(credentials[kind]))
  if (call.write) headers.set('idempotency-key', idempotencyKeyOf(call))
  // A redirect would carry the key to wherever it points; the service never sends one.
  const init: RequestInit = { method: call.method, headers, redirect: 'manual' }
  if (call.body === undefined) return init
  headers.set('content-type', 'application/json')
  return { ...init, body: bodyOf(call) }
}

function idempotencyKeyOf({ options }: Call): string {
  const key = options?.idempotencyKey ?? freshKey()
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalidCall('idempotencyKey is not 1 to 255 visible ASCII characters')
  }
  return key
}

function bodyOf({ body }: Call): string {
  try {
    return JSON.stringify(body)
  } catch (cause) {
    throw invalidCall(`what is sent can't be written as JSON: ${(cause as Error).message}`)
  }
}

/** 128 random bits. `crypto.randomUUID` would need https in browsers. */
function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done)
    function done(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
  })
}
