import { type ErrorCode, type ErrorDetails, TrustError } from '../domain/error.ts'
import { docUrlOf } from './error-guide.ts'
import type { Response } from './response.ts'

/** The one table from what went wrong to its HTTP status. */
export const STATUS = {
  VALIDATION_ERROR: 400,
  AUTHENTICATION_REQUIRED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  IDEMPOTENCY_IN_PROGRESS: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const satisfies Record<ErrorCode, number>

export interface ErrorBody {
  readonly error: {
    readonly code: ErrorCode
    readonly message: string
    readonly details: ErrorDetails
  }
}

/** What is told of an error, wherever it stands. */
export function errorOf({ code, message, details }: TrustError, requestId: string) {
  return { code, message, details: { ...details, requestId, docUrl: docUrlOf(code) } }
}

/** The envelope every error comes in. */
export function errorResponse(error: TrustError, requestId: string): Response {
  const { code, retryAfterSeconds } = error
  const body: ErrorBody = { error: errorOf(error, requestId) }
  const headers: Record<string, string> = {}
  if (retryAfterSeconds !== undefined) {
    headers['retry-after'] = String(retryAfterSeconds)
  }
  if (code === 'AUTHENTICATION_REQUIRED') {
    headers['www-authenticate'] = 'Bearer, ApiKey'
  }
  if (code === 'METHOD_NOT_ALLOWED') {
    headers.allow = String(error.details.allow)
  }
  return { status: STATUS[code], body, headers }
}

/** What the caller is told of a fault: nothing that is internal. */
export function internalError(): TrustError {
  return new TrustError('INTERNAL_ERROR', 'something went wrong on our side; it has been logged')
}
