import { type Dispatcher, request } from 'undici'
import { phraseOf } from '../outbound/phrases.ts'
import type { Attempt } from './attempt.ts'
import { RETRY_AFTER_MAX_MS } from './schedule.ts'

export interface PostInput {
  readonly url: string
  /** Those of the signature, and any others. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** An agent of createGuardedAgent: it decides what may be reached. */
  readonly dispatcher: Dispatcher
  /** For everything, from the lookup of the name to the last byte of the response. */
  readonly timeoutMs?: number
  /** Epoch milliseconds, for a Retry-After given as a date. */
  readonly now?: () => number
}

/** Standard Webhooks: "15-30s is a reasonable time". */
const TIMEOUT_MS = 15_000

/** Read this far so that the connection can be used again; a longer response closes it. */
const RESPONSE_BYTES_MAX = 64 * 1024

/** Enough for the error message of a receiver's framework. */
const RESPONSE_START_BYTES = 1024

const HEADERS = { 'content-type': 'application/json', 'user-agent': 'Standing-Webhooks' }

/**
 * Makes one attempt: posts the body and returns the result. Never rejects. The status alone decides: a
 * receiver that answers 2xx has the notification, even if the rest of its response fails.
 */
export async function post(input: PostInput): Promise<Attempt> {
  const startedAt = performance.now()
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), input.timeoutMs ?? TIMEOUT_MS)
  try {
    return { ...(await exchange(input, limit.signal)), durationMs: elapsedMs(startedAt) }
  } catch (error) {
    const phrase = limit.signal.aborted ? 'timed out' : phraseOf(error)
    return { ...noResponse(phrase), durationMs: elapsedMs(startedAt) }
  } finally {
    clearTimeout(timer)
  }
}

/** An attempt without a response, for this reason. */
export function noResponse(error: string): Attempt {
  const nothing = { status: null, durationMs: 0, responseStart: '', retryAfterMs: null }
  return { outcome: 'failed', error, ...nothing }
}

async function exchange(
  input: PostInput,
  signal: AbortSignal,
): Promise<Omit<Attempt, 'durationMs'>> {
  const { statusCode, headers, body } = await request(input.url, {
    method: 'POST',
    headers: { ...HEADERS, ...input.headers },
    body: input.body,
    dispatcher: input.dispatcher,
    signal,
    // The signal is the one timeout of the whole attempt, in place of the two of undici.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const now = (input.now ?? Date.now)()
  const retryAfterMs = readRetryAfter(headers['retry-after'], now)
  const outcome = outcomeOf(statusCode, retryAfterMs !== null)
  return {
    outcome,
    status: statusCode,
    error: statusCode >= 300 && statusCode < 400 ? 'redirects are not followed' : null,
    responseStart: await readStart(body),
    retryAfterMs: outcome === 'throttled' ? retryAfterMs : null,
  }
}

function outcomeOf(status: number, asksToWait: boolean): Attempt['outcome'] {
  if (status >= 200 && status < 300) {
    return 'delivered'
  }
  if (status === 410) {
    return 'gone'
  }
  if (status === 429) {
    return 'throttled'
  }
  return asksToWait && [502, 503, 504].includes(status) ? 'throttled' : 'failed'
}

/** Seconds or an HTTP date (RFC 9110, 10.2.3), as milliseconds from now, at most a day. */
function readRetryAfter(header: string | string[] | undefined, now: number): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim()
  if (text === undefined || text === '') {
    return null
  }
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(waitMs, 0), RETRY_AFTER_MAX_MS)
}

/** Leaving the loop destroys the stream, and with it the connection of a response that is too long. */
async function readStart(body: AsyncIterable<Uint8Array>): Promise<string> {
  const start: Uint8Array[] = []
  let read = 0
  try {
    for await (const chunk of body) {
      if (read < RESPONSE_START_BYTES) {
        start.push(chunk.subarray(0, RESPONSE_START_BYTES - read))
      }
      read += chunk.length
      if (read > RESPONSE_BYTES_MAX) {
        break
      }
    }
  } catch {
    // Cut off or timed out: what has arrived is shown.
  }
  return asText(Buffer.concat(start))
}

/** `stream` drops a character that was cut; text in PostgreSQL cannot contain NUL. */
function asText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\ufffd')
}

/** Whole milliseconds since a reading of `performance.now`. */
export function elapsedMs(startedAt: number): number {
  return Math.round(performance.now() - startedAt)
}
