/** A response before it is bytes. `body` undefined is no body at all, a stream goes out as it comes. */
export interface Response {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export function ok(body: unknown, headers?: Response['headers']): Response {
  return headers ? { status: 200, body, headers } : { status: 200, body }
}

export function created(body: unknown): Response {
  return { status: 201, body }
}

export function accepted(body: unknown): Response {
  return { status: 202, body }
}

export function noContent(): Response {
  return { status: 204 }
}
