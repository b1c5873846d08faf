import type { Call } from './call.ts'
import { StandingError } from './error.ts'
import { errorOf } from './error-of.ts'
import type { FetchRequest, FetchResponse } from './fetch.ts'
import type { Settings } from './settings.ts'
import { TIMER_MAX_MS } from './timer.ts'

/** One request and its answer. @throws the reason of the caller's signal, where that is aborted */
export async function attempt(
  settings: Settings,
  url: string,
  request: Omit<FetchRequest, 'signal'>,
  { isText, options }: Call,
): Promise<{ readonly body: unknown } | StandingError> {
  const signal = options?.signal
  signal?.throwIfAborted()
  const { fetch = globalThis.fetch, timeoutMs } = settings
  const own = new AbortController()
  const abort = () => own.abort(signal?.reason)
  const timer = setTimeout(() => own.abort(), Math.min(timeoutMs, TIMER_MAX_MS))
  signal?.addEventListener('abort', abort)
  try {
    const response = await fetch(url, { ...request, signal: own.signal })
    const text = await response.text()
    return isText && response.ok ? { body: text } : read(response, text)
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

function read(response: FetchResponse, text: string): { readonly body: unknown } | StandingError {
  const body = text === '' ? undefined : parse(text)
  if (!response.ok) {
    return errorOf(response, body, Date.now())
  }
  // A 2xx that is not JSON comes from something that stands in front of the service.
  if (text === '' || body !== undefined) {
    return { body }
  }
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
  const { message: text, code } = inner as { message?: string; code?: string }
  const reason = text || code || String(inner)
  const message = `cannot reach ${new URL(url).origin}: ${reason}`
  return new StandingError({ status: 0, code: 'NETWORK_ERROR', message, cause })
}
