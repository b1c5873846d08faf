import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { linesIn } from '../../src/lib/text-lines.ts'
import { UserError, unreadableFile } from '../../src/lib/user-error.ts'

/** Far above any event that the service accepts (256 KiB); a file without line ends must not fill memory. */
const LINE_MAX = 1_048_576

/** The lines of a text file, gzipped or not. @throws UserError when it cannot be read */
export async function* textLinesOf(file: string): AsyncGenerator<string, void> {
  for await (const line of linesIn(textPiecesOf(file), LINE_MAX)) {
    if (line.length > LINE_MAX) {
      throw new UserError(`${file} has a line of more than 1 MiB.`)
    }
    yield line
  }
}

/** A text file as it is read, gzipped or not. @throws UserError when it cannot be read */
export async function* textPiecesOf(file: string): AsyncGenerator<string, void> {
  try {
    for await (const piece of await openText(file)) {
      yield piece
    }
  } catch (error) {
    throw unreadableFile(file, error)
  }
}

async function openText(file: string): Promise<Readable> {
  const packed = await isGzip(file)
  const raw = createReadStream(file)
  // The pipeline passes an error of the file on to the reader of the unpacked text.
  const readable = packed ? pipeline(raw, createGunzip(), () => undefined) : raw
  return readable.setEncoding('utf8')
}

/** By its first two bytes (RFC 1952); the name of the file does not matter. */
async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return bytesRead === 2 && buffer.readUInt16BE() === 0x1f8b
  } finally {
    await handle.close()
  }
}
