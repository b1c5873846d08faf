import { okContent, type Response, type ResponseHeaders } from '../http/response.ts'
import { etagOf } from '../lib/etag.ts'

/** Public reads may be half a minute old, and a minute more while a fresh one is fetched. */
export const PUBLIC_CACHE = 'public, max-age=30, stale-while-revalidate=60'

/**
 * For what is found by a name: a name has one holder in each mode, and the caller's credential or header says which is
 * asked for. An id is of one mode.
 */
export const VARY_BY_MODE = { vary: 'authorization, standing-mode, x-api-key' } as const

/** A response that is true only at the moment it is given, or that holds a secret. */
export const NO_STORE = { 'cache-control': 'no-store' } as const

export const JSON_LINES_TYPE = 'application/x-ndjson'

/** Lines of JSON that are sent as they are made, until the signal ends them. */
export function streamed(lines: AsyncIterable<string>, signal: AbortSignal): Response {
  const body = ReadableStream.from(lines).pipeThrough(new TextEncoderStream(), { signal })
  return okContent(body, JSON_LINES_TYPE, NO_STORE)
}

/** Content whose tag is that of its exact bytes. */
export function tagged(content: string, type: string, headers: ResponseHeaders): Response {
  return okContent(content, type, { ...headers, etag: etagOf(content) })
}
