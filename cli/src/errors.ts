import { StandingError } from '@standing/sdk'
import { UserError } from '../../src/lib/user-error.ts'
import { inLine } from './printable.ts'

/** An error as text: what is wrong, and what to do next. */
export function explain(error: unknown): string {
  if (error instanceof UserError) {
    return error.message
  }
  if (!(error instanceof StandingError)) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  const { code, message, status, requestId } = error
  if (code === 'INVALID_CALL') {
    return message
  }
  if (status === 0) {
    return `${message}\nCheck that the service is running (standing serve) and that --url is right.`
  }
  if (status === 401) {
    return (
      `${message}\nCheck that the key belongs to the service at this address. ` +
      'standing whoami shows which is used; standing login signs in again.'
    )
  }
  return `${code}: ${inLine(message)}${requestId === undefined ? '' : ` (request ${requestId})`}`
}

/** An error in the form of the API's own, for programs. */
export function errorJson(error: unknown): string {
  if (error instanceof StandingError) {
    const { code, message, details = {} } = error
    return JSON.stringify({ error: { code, message, details } })
  }
  const code = error instanceof UserError ? 'INVALID_CALL' : 'INTERNAL_ERROR'
  return JSON.stringify({ error: { code, message: explain(error), details: {} } })
}
