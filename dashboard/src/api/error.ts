interface Refusal {
  /** 0 when there was no answer. */
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly retryAfterMs?: number | null
}

/** What the service says when it refuses, or that it could not be reached. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>
  readonly retryAfterMs: number | null

  constructor({ status, code, message, details = {}, retryAfterMs = null }: Refusal) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
    this.retryAfterMs = retryAfterMs
  }
}

export const OFFLINE = 'OFFLINE'
/** Of an answer that is not the service's. */
export const UNREADABLE = 'UNREADABLE'

export function offline(): ApiError {
  return new ApiError({ status: 0, code: OFFLINE, message: 'The service cannot be reached.' })
}

/** What a refusal says; what is no refusal is a fault of the dashboard, and says so. */
export async function errorOf(response: Response): Promise<ApiError> {
  const { status, statusText } = response
  const seconds = Number(response.headers.get('retry-after'))
  const retryAfterMs = seconds > 0 ? seconds * 1000 : null
  try {
    const { error } = (await response.json()) as {
      error: { code: string; message: string; details: Record<string, unknown> }
    }
    const { code, message, details } = error
    return new ApiError({ status, code, message, details, retryAfterMs })
  } catch {
    return new ApiError({
      status,
      code: UNREADABLE,
      message: `${status} ${statusText}`.trim(),
      retryAfterMs,
    })
  }
}

/** Whether all that is wrong is said beside these fields of a form. */
export function isSaidBeside(error: unknown, fields: readonly string[]): boolean {
  const issues = issuesOf(error)
  return issues.length > 0 && issues.every(({ path }) => fields.includes(path))
}

/** What is wrong with a request at one place of it. */
export interface Issue {
  readonly path: string
  readonly code: string
  readonly message: string
}

/** All that the service found wrong with a request; nothing where it was refused for another reason. */
export function issuesOf(error: unknown): readonly Issue[] {
  const issues = error instanceof ApiError ? error.details.issues : null
  return Array.isArray(issues) ? issues : []
}
