import type { Schema } from './schema.ts'

/** The codes the service answers with. */
export type ServiceErrorCode = Schema<'Error'>['error']['code']

/**
 * The client's own codes: no answer came (`NETWORK_ERROR`, `TIMEOUT`), an answer that is not the
 * service's (`UNEXPECTED_RESPONSE`), a call that cannot be made (`INVALID_CALL`), and a notification
 * that was not signed with the secret (`WEBHOOK_INVALID`), and an event for which no answer came
 * before its buffer ended or gave it up (`NOT_DELIVERED`).
 */
export type ClientErrorCode =
  | 'NETWORK_ERROR'
  | 'TIMEOUT'
  | 'UNEXPECTED_RESPONSE'
  | 'INVALID_CALL'
  | 'WEBHOOK_INVALID'
  | 'NOT_DELIVERED'

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

/** Every failure of a call, but one: a call aborted by its `signal` throws the signal's reason. */
export class StandingError extends Error {
  override readonly name = 'StandingError'
  readonly status: number
  readonly code: StandingErrorCode
  readonly details: Readonly<Record<string, unknown>>
  /** What to name when asking the operator of the service. */
  readonly requestId: string | undefined
  /** How long the service asks to wait, where it does. */
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

/** Whether the same request may well succeed a little later. */
export function isTransient(error: StandingError): boolean {
  switch (error.status) {
    case 0:
      return error.code === 'NETWORK_ERROR' || error.code === 'TIMEOUT'
    case 409:
      return error.code === 'IDEMPOTENCY_IN_PROGRESS'
    case 429:
    case 502:
    case 503:
    case 504:
      return true
    default:
      return false
  }
}

/** @param message what is unexpected; what to do is added */
export function unexpectedResponse(status: number, message: string): StandingError {
  return new StandingError({
    status,
    code: 'UNEXPECTED_RESPONSE',
    message: `${message}: check that baseUrl is the address of the service`,
  })
}

export function invalidCall(message: string): StandingError {
  return new StandingError({ status: 0, code: 'INVALID_CALL', message })
}

/** @param time until when there was no answer */
export function notDelivered(time: string): StandingError {
  const message = `no answer came ${time}: the event may or may not have been taken`
  return new StandingError({ status: 0, code: 'NOT_DELIVERED', message })
}
