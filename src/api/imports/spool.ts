import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { invalidField, TrustError } from '../../domain/error.ts'

/** Some twenty million events. More is sent in parts. */
const BYTES_MAX = 4 * 1024 ** 3

/**
 * Writes a body to a file first, and has it read from there: importing takes longer than a connection
 * may take to send its request. The file is deleted afterwards.
 */
export async function spooled<T>(
  body: AsyncIterable<Uint8Array>,
  work: (file: string) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'standing-import-'))
  try {
    const file = join(directory, 'lines')
    await pipeline(body, limited(), createWriteStream(file, { mode: 0o600 })).catch((error) => {
      throw error instanceof TrustError
        ? error
        : invalidField('body', 'broke off before its end; send the same lines again', 'incomplete')
    })
    return await work(file)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

function limited(): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.byteLength
      done(bytes > BYTES_MAX ? tooLarge() : null, chunk)
    },
  })
}

function tooLarge(): TrustError {
  return new TrustError(
    'PAYLOAD_TOO_LARGE',
    `a past may have at most ${BYTES_MAX} bytes in one request; send it in parts with firstLine`,
    { maxBytes: BYTES_MAX },
  )
}
