const LF = 0x0a

/**
 * Finds the end of a body that is sent in chunks (RFC 9112, section 7.1), wherever its bytes are split: takes
 * them as they come, and returns whether the body has ended.
 *
 * @throws Error where a line that should be the size of a chunk is not
 */
export function createChunkReader(): (bytes: Buffer) => boolean {
  /** Of a chunk and the end of line behind it. */
  let rest = 0
  let line = ''
  let inTrailers = false
  return (bytes) => {
    for (let at = 0; at < bytes.length; ) {
      if (rest > 0) {
        const read = Math.min(rest, bytes.length - at)
        rest -= read
        at += read
        continue
      }
      const end = bytes.indexOf(LF, at) + 1 || bytes.length
      line += bytes.toString('latin1', at, end)
      at = end
      if (!line.endsWith('\n')) {
        return false
      }
      if (inTrailers && line === '\r\n') {
        return true
      }
      if (!inTrailers) {
        const size = sizeOf(line)
        inTrailers = size === 0
        rest = inTrailers ? 0 : size + '\r\n'.length
      }
      line = ''
    }
    return false
  }
}

function sizeOf(line: string): number {
  const size = /^([\da-f]+)[ \t]*(?:;.*)?\r\n$/i.exec(line)?.[1]
  if (size === undefined) {
    throw new Error(`not the size of a chunk: ${JSON.stringify(line)}`)
  }
  return Number.parseInt(size, 16)
}
