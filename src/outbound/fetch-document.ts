import { type Dispatcher, request } from 'undici'
import type { AddressPolicy } from './address.ts'
import { FORBIDDEN_ADDRESS } from './connect.ts'
import { errorCode } from './error-code.ts'
import { phraseOf } from './phrases.ts'
import { readBytes } from './read-bytes.ts'
import { checkPublicUrl } from './url.ts'

/** A small document that another server publishes. */
export interface FetchedDocument {
  /** Where it was found, after redirects. */
  readonly url: string
  readonly text: string
  /** By lower-case name; a repeated header is joined by commas. */
  readonly headers: Readonly<Record<string, string>>
}

/** Why there is no document. `isAnswered`: the server was reached, and has none that can be used. */
export interface FetchProblem {
  readonly code: FetchProblemCode
  /** What happened, in words that go on from the URL. */
  readonly message: string
  readonly isAnswered: boolean
}

export type FetchProblemCode =
  | 'address_not_allowed'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'redirected'
  | 'not_found'
  | 'malformed'

export type Fetched = { readonly document: FetchedDocument } | { readonly problem: FetchProblem }

export interface FetchOptions {
  /** An agent of createGuardedAgent: it decides what may be reached. */
  readonly dispatcher: Dispatcher
  readonly policy: AddressPolicy
  readonly accept?: string | undefined
  /** For everything: the lookup of the name, redirects, the last byte. */
  readonly timeoutMs?: number | undefined
  readonly bytesMax?: number
}

/** A person waits for the answer; a server that takes longer is treated as one that is down. */
const TIMEOUT_MS = 8_000

/** Agent cards and DID documents have a few kilobytes; a larger one is a mistake or an attack. */
const BYTES_MAX = 256 * 1024

/** `/` to `/en/` to the file: no site needs more within one host. */
const REDIRECTS_MAX = 3

/**
 * Fetches a document, in bounded time and size. A URL in a document that somebody else wrote is checked
 * like one that a caller names, its port included. Redirects are followed only within the host:
 * otherwise anyone able to place a redirect could impersonate the host. Never rejects.
 */
export async function fetchDocument(url: string, options: FetchOptions): Promise<Fetched> {
  const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS)
  if (!checkPublicUrl(url, options.policy).ok) {
    return { problem: notAllowed() }
  }
  try {
    return await follow(url, options, signal)
  } catch (error) {
    return { problem: signal.aborted ? timedOut() : unreachable(error) }
  }
}

async function follow(url: string, options: FetchOptions, signal: AbortSignal): Promise<Fetched> {
  let at = url
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    const response = await get(at, options, signal)
    const { statusCode, headers, body } = response
    if (statusCode < 300 || statusCode > 399) {
      return statusCode === 200
        ? read(at, response, options.bytesMax ?? BYTES_MAX)
        : refuse(body, withoutDocument(statusCode))
    }
    const next = redirectOf(at, headers.location, options.policy)
    await body.dump()
    if (typeof next !== 'string') {
      return next
    }
    at = next
  }
  return { problem: problem('redirected', `redirects more than ${REDIRECTS_MAX} times`) }
}

function get(url: string, options: FetchOptions, signal: AbortSignal) {
  const accept = options.accept ?? 'application/json, text/plain;q=0.9, */*;q=0.1'
  return request(url, {
    headers: { accept, 'user-agent': 'Standing' },
    dispatcher: options.dispatcher,
    signal,
    // The signal is the one timeout, in place of the two of undici.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

/** Where a redirect leads, if that is on the same host and no less safe. */
function redirectOf(
  from: string,
  location: string | string[] | undefined,
  policy: AddressPolicy,
): string | { readonly problem: FetchProblem } {
  const text = Array.isArray(location) ? location[0] : location
  if (text === undefined || !URL.canParse(text, from)) {
    return { problem: problem('redirected', 'redirects without saying where') }
  }
  const [before, after] = [new URL(from), new URL(text, from)]
  const isDowngrade = before.protocol === 'https:' && after.protocol !== 'https:'
  if (before.hostname !== after.hostname || isDowngrade || !checkPublicUrl(after.href, policy).ok) {
    return { problem: problem('redirected', 'redirects to another host; serve it here') }
  }
  return after.href
}

async function read(
  url: string,
  { headers, body }: Dispatcher.ResponseData,
  bytesMax: number,
): Promise<Fetched> {
  const bytes = await readBytes(body, bytesMax)
  if (bytes === null) {
    return { problem: problem('too_large', `is larger than ${bytesMax} bytes`) }
  }
  const text = utf8(bytes)
  return text === null
    ? { problem: problem('malformed', 'is not UTF-8 text') }
    : { document: { url, text, headers: flat(headers) } }
}

function refuse(body: Dispatcher.ResponseData['body'], problem: FetchProblem): Fetched {
  body.on('error', () => {}).destroy()
  return { problem }
}

function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function flat(headers: Dispatcher.ResponseData['headers']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  )
}

function problem(code: FetchProblemCode, message: string): FetchProblem {
  return { code, message, isAnswered: true }
}

/** A server that is overloaded or out of order says nothing about the document, as one that is down. */
function withoutDocument(status: number): FetchProblem {
  const message = `answered ${status}`
  return status === 429 || status >= 500
    ? { code: 'unreachable', message, isAnswered: false }
    : problem('not_found', message)
}

function notAllowed(): FetchProblem {
  return problem('address_not_allowed', 'has an address that may not be reached')
}

function timedOut(): FetchProblem {
  return { code: 'timeout', message: 'did not answer in time', isAnswered: false }
}

function unreachable(error: unknown): FetchProblem {
  return errorCode(error) === FORBIDDEN_ADDRESS
    ? notAllowed()
    : { code: 'unreachable', message: `cannot be read: ${phraseOf(error)}`, isAnswered: false }
}
