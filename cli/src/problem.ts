/** What stopped a command, in words for whoever typed it. */
export class Problem extends Error {
  override readonly name = 'Problem'
}
