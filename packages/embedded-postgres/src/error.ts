/**
 * Why the server could not be started or stopped. The message says what happened and what to do.
 *
 * - `UNSUPPORTED`: there are no binaries for this platform, or the system cannot run them.
 * - `NO_BINARIES`: there are, but they are not installed.
 * - `FORBIDDEN`: the data directory belongs to another user.
 * - `WRONG_VERSION`: the data was written by another major version.
 * - `INIT_FAILED`, `START_FAILED`, `STOP_FAILED`: PostgreSQL failed; the message quotes it.
 * - `IN_USE`: another live process uses the data directory.
 */
export type EmbeddedCode =
  | 'UNSUPPORTED'
  | 'NO_BINARIES'
  | 'FORBIDDEN'
  | 'WRONG_VERSION'
  | 'INIT_FAILED'
  | 'START_FAILED'
  | 'STOP_FAILED'
  | 'IN_USE'

export class EmbeddedError extends Error {
  override readonly name = 'EmbeddedError'
  readonly code: EmbeddedCode

  constructor(code: EmbeddedCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The operating system's or PostgreSQL's code of an error (`ENOENT`, `57P03`), if it has one. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

/** The message of an error, for use inside another message. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
