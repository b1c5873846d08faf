import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { UserError, unreadableFile } from '../../../src/lib/user-error.ts'

/** Characters of a line: far above any event that the service takes (256 KiB of JSON). */
const LINE_MAX = 1_048_576

/** Some thousand lines at a time. */
const CHUNK_BYTES = 1 << 20

/** A file, or the standard input for `-`. */
export function openInput(file: string, stdin: Readable): Readable {
  return file === '-' ? stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES })
}

/** The lines of an input, those of a chunk together. @throws UserError if it cannot be read */
export async function* readLines(
  input: Readable,
  name: string,
): AsyncGenerator<readonly string[], void> {
  let rest = ''
  let isFirst = true
  try {
    for await (const chunk of input.setEncoding('utf8') as AsyncIterable<string>) {
      const text = isFirst ? begin(chunk, name) : rest + chunk
      isFirst = false
      const lines = text.split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > LINE_MAX) {
        throw new UserError(`${name} has a line of more than 1 MiB. Write one JSON object a line.`)
      }
      yield lines
    }
  } catch (error) {
    throw error instanceof UserError ? error : unreadableFile(name, error)
  }
  if (rest !== '') {
    yield [rest]
  }
}

/** Without a byte order mark. Bytes of gzip (RFC 1952) are no text. */
function begin(chunk: string, name: string): string {
  if (chunk.startsWith('\u001f\ufffd')) {
    throw new UserError(`${name} is compressed. Unpack it: gunzip -c FILE | npm run simulate -- -`)
  }
  return chunk.startsWith('\ufeff') ? chunk.slice(1) : chunk
}
