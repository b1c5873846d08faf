/** Ends a program with its message alone: the person who started it can put right what it names. */
export class UserError extends Error {
  override readonly name = 'UserError'
}
