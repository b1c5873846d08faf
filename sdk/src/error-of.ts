import { StandingError } from './error.ts'
import type { FetchResponse } from './fetch.ts'

/** The error of a response that is not 2xx; `UNEXPECTED_RESPONSE` where its body is not the service's. */
export function errorOf(response: FetchResponse, body: unknown, now: number): StandingError {
  const { error } = objectOf(body)
  const { code, message, details } = objectOf(error)
  const { requestId } = objectOf(details)
  return new StandingError({
    status: response.status,
    code: typeof code === 'string' ? code : 'UNEXPECTED_RESPONSE',
    message: typeof message === 'string' ? message : messageOf(response),
    details: objectOf(details),
    requestId: textOf(requestId) ?? response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfterOf(response.headers.get('retry-after'), now),
  })
}

/** What a server says that is not the service, such as a proxy. */
function messageOf({ status, headers }: FetchResponse): string {
  const location = headers.get('location')
  return location === null
    ? `the server answered ${status}`
    : `the server answered ${status} and names ${location}: if the service is there, set baseUrl`
}

/** RFC 9110, 10.2.3: whole seconds, or a date. */
function retryAfterOf(header: string | null, now: number): number | undefined {
  if (header === null) {
    return undefined
  }
  if (/^\d+$/.test(header)) {
    return Number(header) * 1000
  }
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
