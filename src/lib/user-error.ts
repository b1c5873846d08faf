/** Ends a program with only its message: the person who started it can correct the cause. */
export class UserError extends Error {
  override readonly name: string = 'UserError'
}

/** A command line that cannot be understood. */
export class UsageError extends UserError {
  override readonly name = 'UsageError'
}

/** The exit code of a program that was started with one; docs/cli.md lists those of the command. */
export const USAGE_EXIT_CODE = 2

/** The error for a file that a person named and that cannot be read. */
export function unreadableFile(file: string, error: unknown): UserError {
  const { code = '', message } = error as NodeJS.ErrnoException
  return new UserError(`${file} cannot be read: ${REASONS[code] ?? message}.`)
}

/** The error for a file that a person named and that cannot be written. */
export function unwritableFile(file: string, error: unknown): UserError {
  const { code = '', message } = error as NodeJS.ErrnoException
  const reason = code === 'ENOENT' ? 'there is no such directory' : (REASONS[code] ?? message)
  return new UserError(`${file} cannot be written: ${reason}.`)
}

/** The usual reasons in words, by the code of the system. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of its path is not a directory',
  EACCES: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
}
