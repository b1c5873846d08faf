/** A response before it is bytes: a status, headers, and a JSON value or content that is ready to send. */
export type Response = JsonResponse | ContentResponse

export type ResponseHeaders = Readonly<Record<string, string>>

export interface JsonResponse {
  readonly status: number
  readonly headers?: ResponseHeaders
  /** The value to write as JSON; undefined sends no body. */
  readonly body?: unknown
  readonly content?: never
}

export interface ContentResponse {
  readonly status: number
  readonly headers?: ResponseHeaders
  readonly content: Content
  readonly body?: never
}

/** A body with its media type. A stream is sent as it is produced. */
export interface Content {
  readonly type: string
  /** How `data` is compressed already. */
  readonly encoding?: string
  readonly data: string | Uint8Array | ReadableStream
}

/** Ends a stream that the service gives up: the connection is closed, so that no client takes a part for the whole. */
export class CutShort extends Error {
  override readonly name = 'CutShort'
}

export const JSON_TYPE = 'application/json; charset=utf-8'

export function ok(body: unknown, headers?: ResponseHeaders): JsonResponse {
  return headers ? { status: 200, body, headers } : { status: 200, body }
}

export function created(body: unknown): JsonResponse {
  return { status: 201, body }
}

export function accepted(body: unknown): JsonResponse {
  return { status: 202, body }
}

export function noContent(): JsonResponse {
  return { status: 204 }
}

/** Status 200 with content that is not a JSON value, or is serialised already. */
export function okContent(
  data: Content['data'],
  type: string,
  headers?: ResponseHeaders,
): ContentResponse {
  const content = { type, data }
  return headers ? { status: 200, content, headers } : { status: 200, content }
}
