import { ok, type Response } from '../http/response.ts'
import { etagOf } from '../lib/etag.ts'

/** Public reads may be half a minute old, and a minute more while a fresh one is fetched. */
export const PUBLIC_CACHE = 'public, max-age=30, stale-while-revalidate=60'

/** A response that is true only at the moment it is given, or that holds a secret. */
export const NO_STORE = { 'cache-control': 'no-store' } as const

export const JSON_TYPE = 'application/json; charset=utf-8'
export const JSON_LINES_TYPE = 'application/x-ndjson'

/** A body whose tag is that of its exact bytes. */
export function tagged(body: string, headers: NonNullable<Response['headers']>): Response {
  return ok(body, { ...headers, etag: etagOf(body) })
}
