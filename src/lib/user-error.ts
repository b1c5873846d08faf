/** Ends a program with only its message: the person who started it can correct the cause. */
export class UserError extends Error {
  override readonly name = 'UserError'
}
