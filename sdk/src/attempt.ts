import type { Call } from './call.ts'
import { StandingError, unexpectedResponse } from './error.ts'
import { errorOf } from './error-of.ts'
import type { FetchRequest, FetchResponse } from './fetch.ts'
import { jsonOf } from './json.ts'
import type { Settings } from './settings.ts'
import { TIMER_MAX_MS } from './timer.ts'

/** One request and its answer. @throws the reason of the caller's signal, where that is aborted */
export async function attempt(
  settings: Settings,
  url: string,
  request: Omit<FetchRequest, 'signal'>,
  { isText, stream, options }: Call,
): Promise<Attempted> {
  const signal = options?.signal
  signal?.throwIfAborted()
  const { fetch = globalThis.fetch, timeoutMs } = settings
  const own = new AbortController()
  const abort = () => own.abort(signal?.reason)
  const timer = setTimeout(() => own.abort(), Math.min(timeoutMs, TIMER_MAX_MS))
  signal?.addEventListener('abort', abort)
  try {
    const response = await fetch(url, { ...request, signal: own.signal })
    if (stream && response.ok) {
      return opened(response)
    }
    const text = await response.text()
    return response.ok ? read(response, text, isText === true) : refusalOf(response, text)
  } catch (cause) {
    signal?.throwIfAborted()
    if (!own.signal.aborted) {
      return unreachable(url, cause)
    }
    const message = `no answer within ${timeoutMs} ms`
    return new StandingError({ status: 0, code: 'TIMEOUT', message, cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

type Attempted = { readonly body: unknown } | StandingError

/** The caller reads it, and ends it. */
function opened({ status, headers, body }: FetchResponse): Attempted {
  const isOfType = headers.get('content-type')?.startsWith('text/event-stream') === true
  const isStream = typeof body === 'object' && body !== null && 'getReader' in body
  return isOfType && isStream
    ? { body }
    : unexpectedResponse(status, "the answer is not the service's stream of events")
}

function refusalOf(response: FetchResponse, text: string): StandingError {
  return errorOf(response, jsonOf(text), Date.now())
}

/** A 2xx that is not the service's comes from something that stands in front of it, or in its place. */
function read(response: FetchResponse, text: string, isText: boolean): Attempted {
  if (text === '' && WITHOUT_BODY.includes(response.status)) {
    return { body: undefined }
  }
  const body = isText ? linesOf(response, text) : objectIn(text)
  if (body !== undefined) {
    return { body }
  }
  const start = JSON.stringify(text.slice(0, SHOWN_CHARS))
  return unexpectedResponse(response.status, `the answer is not the service's, but ${start}`)
}

/** The statuses that the service answers without a body. */
const WITHOUT_BODY: readonly number[] = [202, 204]

/** Enough of an answer to recognise the page of a proxy. */
const SHOWN_CHARS = 80

/** JSON lines, unless the text is of another type, or ends in the middle of a line. */
function linesOf({ headers }: FetchResponse, text: string): string | undefined {
  const isOfType = headers.get('content-type')?.startsWith('application/x-ndjson') === true
  const isWhole = text === '' || text.endsWith('\n')
  return isOfType && isWhole ? text : undefined
}

function objectIn(text: string): object | undefined {
  const body = jsonOf(text)
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : undefined
}

function unreachable(url: string, cause: unknown): StandingError {
  // fetch says only "fetch failed"; the reason (ECONNREFUSED, ENOTFOUND) is its cause's. Where several
  // addresses were tried, that cause has a code and no message.
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  const { message: text, code } = Object(inner) as { message?: string; code?: string }
  const reason = text || code || String(inner)
  const message = `cannot reach ${new URL(url).origin}: ${reason}`
  return new StandingError({ status: 0, code: 'NETWORK_ERROR', message, cause })
}
