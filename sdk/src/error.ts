/** The codes the service answers with, as listed in its interface and docs/spec-choices.md. */
export type ServiceErrorCode =
  | 'VALIDATION_ERROR'
  | 'AUTHENTICATION_REQUIRED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'RATE_LIMIT_EXCEEDED'
  | 'CONFLICT'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'IDEMPOTENCY_IN_PROGRESS'
  | 'METHOD_NOT_ALLOWED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'INTERNAL_ERROR'
  | 'SERVICE_UNAVAILABLE'

/**
 * The codes of this client's own: no answer came (`NETWORK_ERROR`, `TIMEOUT`), an answer that is not
 * the service's (`UNEXPECTED_RESPONSE`), a call that can't be made (`INVALID_CALL`), and a
 * notification that was not signed with the secret (`WEBHOOK_INVALID`).
 */
export type ClientErrorCode =
  | 'NETWORK_ERROR'
  | 'TIMEOUT'
  | 'UNEXPECTED_RESPONSE'
  | 'INVALID_CALL'
  | 'WEBHOOK_INVALID'

/** Known codes complete in an editor; one that a later service adds is still a string. */
export type StandingErrorCode = ServiceErrorCode | ClientErrorCode | (string & {})

export interface StandingErrorFields {
  /** The HTTP status; 0 where there was no answer. */
  readonly status: number
  readonly code: StandingErrorCode
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>> | undefined
  readonly requestId?: string | undefined
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/** Every failure of a call. Aborting through one's own `signal` is the exception: its reason is thrown. */
export class StandingError extends Error {
  override readonly name = 'StandingError'
  readonly status: number
  readonly code: StandingErrorCode
  readonly details: Readonly<Record<string, unknown>>
  /** What to name when asking whoever runs the service. */
  readonly requestId: string | undefined
  /** How long the service asked to be left alone, where it did. */
  readonly retryAfterMs: number | undefined

  constructor(fields: StandingErrorFields) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.status = fields.status
    this.code = fields.code
    this.details = fields.details ?? {}
    this.requestId = fields.requestId
    this.retryAfterMs = fields.retryAfterMs
  }
}

export function invalidCall(message: string): StandingError {
  return new StandingError({ status: 0, code: 'INVALID_CALL', message })
}

/** What a response that is not 2xx says. A body that is not the service's gives `UNEXPECTED_RESPONSE`. */
export function errorOf(response: Response, body: unknown, now: number): StandingError {
  const { error } = objectOf(body)
  const { code, message, details } = objectOf(error)
  const { requestId } = objectOf(details)
  return new StandingError({
    status: response.status,
    code: typeof code === 'string' ? code : 'UNEXPECTED_RESPONSE',
    message: typeof message === 'string' ? message : `the server answered ${response.status}`,
    details: objectOf(details),
    requestId: textOf(requestId) ?? response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfterOf(response.headers.get('retry-after'), now),
  })
}

/** RFC 9110, 10.2.3: whole seconds, or a date. */
export function retryAfterOf(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header)) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
