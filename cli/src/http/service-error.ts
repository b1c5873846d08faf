import { StandingError } from '@standing/sdk'
import { UserError } from '../../../src/lib/user-error.ts'
import { errorIn, jsonOf } from './json.ts'

/** The errors of requests that the client library does not make, as it would throw them. */

/** The error of an answer that is not 2xx, or that is not the service's. */
export function refusalOf(status: number, text: string): StandingError {
  const error = errorIn(jsonOf(text))
  const { code = 'UNEXPECTED_RESPONSE', message = `the server answered ${status}`, details } = error
  return new StandingError({ status, code, message, details })
}

/** The error of a request without an answer. An error that a person can correct stays as it is. */
export function unanswered(url: string, cause: unknown): Error {
  if (cause instanceof UserError) {
    return cause
  }
  const reason = cause instanceof Error ? cause.message : String(cause)
  const message = `cannot reach ${new URL(url).origin}: ${reason}`
  return new StandingError({ status: 0, code: 'NETWORK_ERROR', message, cause })
}
