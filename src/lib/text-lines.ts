/**
 * The lines of a text that arrives in pieces. Only a line feed ends a line, so that all who count the lines
 * of a file agree. A line of more than `charsMax` is passed on as soon as it is known to be longer, without
 * the rest of it: memory is bounded by the longest line and one piece. A text that does not end with a line
 * feed has its rest as the last line. @throws the error of `unfinished` instead, if it is given
 */
export async function* linesIn(
  pieces: AsyncIterable<string>,
  charsMax: number,
  unfinished?: () => Error,
): AsyncGenerator<string, void> {
  let line = ''
  let isPassedOn = false
  for await (const piece of pieces) {
    let from = 0
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', from)) {
      if (!isPassedOn) {
        yield line + piece.slice(from, end)
      }
      line = ''
      isPassedOn = false
      from = end + 1
    }
    if (!isPassedOn) {
      line += piece.slice(from)
    }
    if (line.length > charsMax) {
      yield line
      line = ''
      isPassedOn = true
    }
  }
  if (line !== '') {
    if (unfinished) {
      throw unfinished()
    }
    yield line
  }
}
