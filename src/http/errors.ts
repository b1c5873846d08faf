import { type ErrorCode, type ErrorDetails, TrustError } from '../domain/error.ts'
import { message } from '../lib/protobuf.ts'
import { docUrlOf } from './error-guide.ts'
import type { LimitDecision } from './limits.ts'
import type { ContentResponse, JsonResponse } from './response.ts'

/** The one table from error codes to HTTP statuses. */
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

/** What an error says about the request it belongs to. */
export interface ErrorContext {
  readonly requestId: string
  /** The path of the base URL, which the address of the code's page begins with. */
  readonly basePath: string
}

/** An error as it is shown to the client, in the envelope or within a batch. */
export function errorOf(
  { code, message, details }: TrustError,
  { requestId, basePath }: ErrorContext,
) {
  return { code, message, details: { ...details, requestId, docUrl: basePath + docUrlOf(code) } }
}

/** The envelope of every error. `limit` is the caller's limit of requests, where it was counted. */
export function errorResponse(
  error: TrustError,
  context: ErrorContext,
  limit: LimitDecision | null = null,
): JsonResponse {
  const body: ErrorBody = { error: errorOf(error, context) }
  return { status: STATUS[error.code], body, headers: headersOf(error, limit) }
}

/** The same error as a `google.rpc.Status`, for clients that read Protocol Buffers of this media type. */
export function rpcStatusResponse(
  error: TrustError,
  type: string,
  limit: LimitDecision | null,
): ContentResponse {
  // Without the code of gRPC: OTLP lets it be left out, and the status of HTTP says as much.
  const data = message([[2, error.message]])
  return {
    status: STATUS[error.code],
    headers: headersOf(error, limit),
    content: { type, data },
  }
}

function headersOf(
  { code, details, retryAfterSeconds }: TrustError,
  limit: LimitDecision | null,
): Record<string, string> {
  switch (code) {
    case 'AUTHENTICATION_REQUIRED':
      return { 'www-authenticate': 'Bearer, ApiKey' }
    case 'METHOD_NOT_ALLOWED':
      return { allow: String(details.allow) }
    case 'RATE_LIMIT_EXCEEDED': {
      // A client that waits for one limit must not run into another one then.
      const seconds = Math.max(retryAfterSeconds ?? 0, limit?.resetSeconds ?? 0)
      return { 'retry-after': String(seconds) }
    }
    default:
      return retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  }
}

/** What a client learns about a fault of the service: nothing internal. */
export function internalError(): TrustError {
  return new TrustError('INTERNAL_ERROR', 'the service failed; the fault has been logged')
}
