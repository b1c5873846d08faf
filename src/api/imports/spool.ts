import type { FileHandle } from 'node:fs/promises'
import { diskFull, invalidField, TrustError } from '../../domain/error.ts'
import { openUnnamedFile } from '../../lib/unnamed-file.ts'

/** Some twenty million events. More is sent in parts. */
const BYTES_MAX = 4 * 1024 ** 3

/**
 * Writes a body to a file first, and has it read from there: importing takes longer than a connection
 * may take to send its request. The file has no name, so none is left behind when the service is killed.
 */
export async function spooled<T>(
  body: AsyncIterable<Uint8Array>,
  work: (pieces: AsyncIterable<string>) => Promise<T>,
): Promise<T> {
  const file = await openUnnamedFile()
  try {
    await writeBody(file, body)
    return await work(file.createReadStream({ start: 0, encoding: 'utf8', autoClose: false }))
  } finally {
    await file.close()
  }
}

/** @throws SERVICE_UNAVAILABLE where the file has no space left */
export async function writeBody(file: FileHandle, body: AsyncIterable<Uint8Array>): Promise<void> {
  let bytes = 0
  for await (const chunk of complete(body)) {
    bytes += chunk.byteLength
    if (bytes > BYTES_MAX) {
      throw tooLarge()
    }
    await file.appendFile(chunk).catch((error) => {
      throw NO_SPACE.has(error.code) ? diskFull() : error
    })
  }
}

/** The disk is full, or the user's share of it is. */
const NO_SPACE: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT'])

/** The chunks of a body; fails with a refusal where the connection ends before it does. */
async function* complete(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch {
    throw invalidField(
      'body',
      'ended before it was complete; send the same lines again',
      'incomplete',
    )
  }
}

function tooLarge(): TrustError {
  return new TrustError(
    'PAYLOAD_TOO_LARGE',
    `a past may have at most ${BYTES_MAX} bytes in one request; send it in parts with firstLine`,
    { maxBytes: BYTES_MAX },
  )
}
