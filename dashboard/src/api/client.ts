import { signal } from '@preact/signals'
import { t } from '../messages/index.ts'
import { BASE } from '../paths.ts'
import { randomHex } from '../random.ts'
import { saysTest } from '../session/mode.ts'
import { end, type Session, session } from '../session/session.ts'
import { ApiError, errorOf, offline, UNREADABLE } from './error.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface CallOptions {
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
  /** JSON lines, sent as they are. */
  readonly file?: Blob
  readonly signal?: AbortSignal
  /** Instead of the session's; null for none. */
  readonly credential?: string | null
  /** Goes on after the page is left. */
  readonly keepalive?: boolean
  /** Sends the cookie of a sign-in, which no other request needs. */
  readonly withCookie?: boolean
}

/** The requests of this minute, as the service counts them; null where it sets no limit. */
export interface Quota {
  readonly limit: number
  readonly remaining: number
}

export const isOffline = signal(false)

/** While there is no connection, it is looked for so often, and at once when the browser has one. */
const LOOK_MS = 5_000
let looking: ReturnType<typeof setInterval> | undefined
isOffline.subscribe((offline) => {
  clearInterval(looking)
  if (offline) {
    looking = setInterval(look, LOOK_MS)
  }
})
addEventListener('online', () => {
  if (isOffline.value) {
    void look()
  }
})

async function look(): Promise<void> {
  try {
    await fetch(urlOf('/healthz'), { cache: 'no-store' })
    isOffline.value = false
  } catch {
    // It is looked for again.
  }
}

/** How often the service has refused what the role of the person does not allow. */
export const refusals = signal(0)

export const quota = signal<Quota | null>(null)

/** Until when a refused read waits, and whether it was refused for a limit of the tier; null when none waits. */
export const waiting = signal<{ readonly until: number; readonly isLimit: boolean } | null>(null)

/** One request to the service; every other module asks through this one. */
export async function call<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  const url = urlOf(path, options.query)
  const init = initOf(method, path, options)
  const asking = session.value
  for (let left = RETRIES_MAX; ; left--) {
    const response = await send(url, init)
    noteQuota(response)
    if (response.ok) {
      return (await bodyOf(response)) as T
    }
    const error = await errorOf(response)
    if (left > 0 && isWorthWaiting(method, error)) {
      await wait(error, options.signal)
    } else {
      throw refused(error, options.credential === undefined ? asking : null)
    }
  }
}

/** A read waits for its turn; a press of a button gets its answer at once. */
const RETRIES_MAX = 2
const WAIT_MAX_MS = 65_000

function isWorthWaiting(method: Method, { status, retryAfterMs }: ApiError): boolean {
  const isLater = status === 429 || status === 503
  return method === 'GET' && isLater && retryAfterMs !== null && retryAfterMs <= WAIT_MAX_MS
}

async function wait({ status, retryAfterMs }: ApiError, aborted?: AbortSignal): Promise<void> {
  const ms = retryAfterMs ?? 0
  waiting.value = { until: Date.now() + ms, isLimit: status === 429 }
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, ms)
      aborted?.addEventListener('abort', () => {
        clearTimeout(timer)
        reject(aborted.reason)
      })
    })
  } finally {
    waiting.value = null
  }
}

/** A streamed response, as it arrives. @throws ApiError where it is refused */
export async function openStream(
  path: string,
  { lastEventId, signal }: { readonly lastEventId: string | null; readonly signal: AbortSignal },
): Promise<ReadableStream<Uint8Array>> {
  const { headers, ...init } = initOf('GET', path, { signal })
  const asking = session.value
  const resumed = lastEventId === null ? {} : { 'last-event-id': lastEventId }
  const response = await send(urlOf(path), { ...init, headers: { ...headers, ...resumed } })
  if (!response.ok || !response.body) {
    throw refused(await errorOf(response), asking)
  }
  return response.body
}

export function urlOf(path: string, query: CallOptions['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return `${BASE}${path}${search.size > 0 ? `?${search}` : ''}`
}

function initOf(
  method: Method,
  path: string,
  options: CallOptions,
): RequestInit & { readonly headers: Record<string, string> } {
  const credential =
    options.credential === undefined ? session.value?.credential : options.credential
  const headers: Record<string, string> = { accept: 'application/json' }
  if (credential) {
    headers.authorization = `Bearer ${credential}`
  }
  if (saysTest(path)) {
    headers['standing-mode'] = 'test'
  }
  if (options.body !== undefined) {
    headers['content-type'] = 'application/json'
  } else if (options.file) {
    headers['content-type'] = 'application/x-ndjson'
  }
  // Sent again after a lost answer, a write happens once; a file brings names of its own for that.
  if (method !== 'GET' && !options.file) {
    headers['idempotency-key'] = randomHex(16)
  }
  return {
    method,
    headers,
    // The dashboard has a cache of its own; requests bypass that of the browser.
    cache: 'no-store',
    credentials: options.withCookie ? 'same-origin' : 'omit',
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    ...(options.file ? { body: options.file } : {}),
    ...(options.signal ? { signal: options.signal } : {}),
    ...(options.keepalive ? { keepalive: true } : {}),
  }
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, init)
    isOffline.value = false
    return response
  } catch (error) {
    if (init.signal?.aborted) {
      throw error
    }
    isOffline.value = true
    throw offline()
  }
}

function noteQuota({ headers }: Response): void {
  const limit = /q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')?.[1]
  const remaining = /r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]
  if (limit && remaining) {
    quota.value = { limit: Number(limit), remaining: Number(remaining) }
  }
}

/** JSON lines are text. */
const IS_JSON = /[/+]json\b/

/** @throws ApiError where a proxy answered with a page of its own, or the answer was cut */
async function bodyOf(response: Response): Promise<unknown> {
  if (response.status === 204) {
    return undefined
  }
  const type = response.headers.get('content-type') ?? ''
  try {
    if (!type.startsWith('text/html')) {
      return await (IS_JSON.test(type) ? response.json() : response.text())
    }
  } catch {
    // It is said below.
  }
  throw new ApiError({
    status: response.status,
    code: UNREADABLE,
    message: t.value.states.unreadable,
  })
}

/** A credential that is taken no more ends its session, if that is still the one at hand; null: it has none. */
function refused(error: ApiError, asking: Session | null): ApiError {
  if (error.status === 401 && asking && asking.credential === session.value?.credential) {
    end(true)
  }
  if (error.details.reason === 'insufficient_permission') {
    refusals.value++
  }
  return error
}
