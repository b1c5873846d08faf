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
  return `${code}: ${problemOf(error)}${requestId === undefined ? '' : ` (request ${requestId})`}`
}

/** What the service says is wrong; of several fields a line each. */
function problemOf({ message, details }: StandingError): string {
  const issues = Array.isArray(details.issues) ? details.issues.filter(isIssue) : []
  return issues.length === 0
    ? inLine(message)
    : issues.map((issue) => inLine(`${nameOf(issue.path)}: ${issue.message}`)).join('\n  ')
}

interface Issue {
  readonly path: string
  readonly message: string
}

function isIssue(value: unknown): value is Issue {
  const { path, message } = (value ?? {}) as Partial<Record<keyof Issue, unknown>>
  return typeof path === 'string' && typeof message === 'string'
}

/** The field by its name: a person who types a command does not see whether it is sent in a path or a query. */
function nameOf(path: string): string {
  return path.replace(/^(?:params|query|body)\./, '')
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
