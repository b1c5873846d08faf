/**
 * Every way a request can be refused. The first five are the interface's own; the rest are named in
 * docs/spec-choices.md. `http/errors.ts` has the HTTP status of each.
 */
export type ErrorCode =
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

export type ErrorDetails = Readonly<Record<string, unknown>>

/** One thing wrong with a request: where (`data.amount`, `query.limit`), which kind, and in words. */
export interface Issue {
  readonly path: string
  readonly code: string
  readonly message: string
}

/** With the setting of V8 that says how many calls an error notes. */
const errors = Error as ErrorConstructor & { stackTraceLimit: number | undefined }

/** A refusal. It contains only what the caller may know. */
export class TrustError extends Error {
  override readonly name = 'TrustError'
  readonly code: ErrorCode
  readonly details: ErrorDetails
  /** How long the caller should wait, if that is known. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    details: ErrorDetails = {},
    retryAfterSeconds?: number,
  ) {
    // A refusal is decided, and says itself what is wrong. To note the calls that led to it, as an error does by
    // default, takes longer than to decide on an event: a flood beyond the limits would cost more than what is taken.
    const { stackTraceLimit } = errors
    errors.stackTraceLimit = 0
    super(message)
    errors.stackTraceLimit = stackTraceLimit
    this.code = code
    this.details = details
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Paths longer than this are cut: a long name would be repeated for each value inside its object. */
const PATH_CHARS_MAX = 200

/** What is left where a surrogate pair was cut in two. */
const HALF_AT_END = /[\ud800-\udbff]$/

export function invalid(given: readonly Issue[]): TrustError {
  const issues = given.map(withShortPath)
  const [first] = issues
  const message = first ? sentenceOf(first) : 'the request is not valid'
  return new TrustError('VALIDATION_ERROR', message, { issues })
}

function withShortPath(issue: Issue): Issue {
  const { path } = issue
  return path.length <= PATH_CHARS_MAX
    ? issue
    : { ...issue, path: `${path.slice(0, PATH_CHARS_MAX).replace(HALF_AT_END, '')}…` }
}

function sentenceOf({ path, message }: Issue): string {
  return `${path}: ${message}`
}

/** What is wrong, in one text: with each issue of the error, or its message where it has none. */
export function problemsOf({ message, details }: Pick<TrustError, 'message' | 'details'>): string {
  const issues: readonly Issue[] = Array.isArray(details.issues) ? details.issues : []
  return issues.length === 0 ? message : issues.map(sentenceOf).join('; ')
}

export function invalidField(path: string, message: string, code = 'invalid'): TrustError {
  return invalid([{ path, code, message }])
}

export function notFound(what: string): TrustError {
  return new TrustError('NOT_FOUND', `there is no such ${what}`)
}

export function forbidden(message: string, details: ErrorDetails = {}): TrustError {
  return new TrustError('FORBIDDEN', message, details)
}

/** @param message what belongs to somebody else */
export function ofOtherOwner(message: string): TrustError {
  return forbidden(message, { reason: 'other_owner' })
}

/** @throws FORBIDDEN with the name of the limit where there are as many as there may be */
export function checkLimit(limit: string, count: number, max: number, message: string): void {
  if (count >= max) {
    throw forbidden(message, { limit, max })
  }
}

/** For a key of one mode that names data of the other. It does not show whether that data exists. */
export function modeMismatch(callerMode: 'live' | 'test', advice: string): TrustError {
  const dataMode = callerMode === 'live' ? 'test' : 'live'
  return forbidden(
    `this is ${dataMode} data, and the request is in ${callerMode} mode: ${advice}`,
    {
      reason: 'mode_mismatch',
      callerMode,
      dataMode,
    },
  )
}

/** How long to leave a database that is away, or a queue that is full, before asking again. */
const RETRY_AFTER_SECONDS = 1

/** Refused because of the load alone: nothing was begun. */
export function overloaded(message: string): TrustError {
  return unavailable(message, { reason: OVERLOADED })
}

export const OVERLOADED = 'overloaded'

/** Nothing is wrong: the answer takes longer than a request may, and is being prepared. */
export function stillComputing(): TrustError {
  return unavailable('this is being computed from a long event log; retry in a second', {
    reason: COMPUTING,
  })
}

export const COMPUTING = 'computing'

export function tooManyFolds(): TrustError {
  return overloaded('too many scores are being computed from long event logs; retry')
}

/** Long enough for an operator to free space. */
const DISK_RETRY_AFTER_SECONDS = 30

export function diskFull(): TrustError {
  return new TrustError(
    'SERVICE_UNAVAILABLE',
    'the disk is nearly full; nothing was written, and reads are still served',
    { reason: 'disk_full' },
    DISK_RETRY_AFTER_SECONDS,
  )
}

/** A halt lasts minutes at least. Clients that wait for a minute at most give up at once. */
const HALT_RETRY_AFTER_SECONDS = 300

export function issuingHalted(): TrustError {
  return new TrustError(
    'SERVICE_UNAVAILABLE',
    'the operator has halted the issuing of credentials; existing ones can be verified and revoked. ' +
      'Retry after the operator has resumed it',
    { reason: 'issuing_halted' },
    HALT_RETRY_AFTER_SECONDS,
  )
}

export function unavailable(message: string, details: ErrorDetails = {}): TrustError {
  return new TrustError('SERVICE_UNAVAILABLE', message, details, RETRY_AFTER_SECONDS)
}
