/**
 * Why the PostgreSQL that comes along could not serve. Each message says what happened and what to
 * do about it, because the reader has most often just typed `npm start`.
 *
 * - `UNSUPPORTED`: no binaries exist for this platform, or the system cannot run them.
 * - `NO_BINARIES`: they exist but are not installed.
 * - `FORBIDDEN`: the data directory belongs to another user.
 * - `WRONG_VERSION`: the data was written by another major version.
 * - `INIT_FAILED`, `START_FAILED`, `STOP_FAILED`: PostgreSQL said no; its words are in the message.
 * - `HELD`: another live instance uses the data directory.
 */
export type EmbeddedCode =
  | 'UNSUPPORTED'
  | 'NO_BINARIES'
  | 'FORBIDDEN'
  | 'WRONG_VERSION'
  | 'INIT_FAILED'
  | 'START_FAILED'
  | 'STOP_FAILED'
  | 'HELD'

export class EmbeddedError extends Error {
  override readonly name = 'EmbeddedError'
  readonly code: EmbeddedCode

  constructor(code: EmbeddedCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The operating system's name for an error (`ENOENT`, `EACCES`), if it has one. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

/** What an error says, for use inside another message. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
