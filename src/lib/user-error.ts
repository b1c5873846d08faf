/** Ends a program with only its message: the person who started it can correct the cause. */
export class UserError extends Error {
  override readonly name = 'UserError'
}

/** The error for a file that a person named and that cannot be read. */
export function unreadableFile(file: string, error: unknown): UserError {
  const { code = '', message } = error as NodeJS.ErrnoException
  return new UserError(`${file} cannot be read: ${REASONS[code] ?? message}.`)
}

/** The usual reasons in words, by the code of the system. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
}
