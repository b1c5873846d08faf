/** The code of an error of Node, undici or c-ares; empty without one. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
