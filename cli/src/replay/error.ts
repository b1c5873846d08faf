/** What keeps a replay from going on, in words for whoever started it. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError'
}
