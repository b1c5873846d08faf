import { hash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { UserError, unreadableFile } from '../lib/user-error.ts'

/** A file of breached passwords, however large: it is searched on the disk. */
export interface BreachedPasswords {
  has(password: string): Promise<boolean>
  close(): Promise<void>
}

/** One line: the SHA-1 of a password in hexadecimal and, by most lists, how often it was seen. */
const LINE = /^([0-9A-F]{40})(?::\d+)?\r?$/i
const HASH_LENGTH = 40

/** Longer than any line, with the rest of the line before it. */
const LINES_BYTES = 256

/** The search ends with this much, which is read as a whole: a disk reads no less. */
const BLOCK_BYTES = 4_096

/** Opens a list in order of its hashes, as Have I Been Pwned publishes it. @throws UserError */
export async function openBreachedPasswords(path: string): Promise<BreachedPasswords> {
  const unreadable = (error: unknown) => {
    throw new UserError(`STANDING_BREACHED_PASSWORDS: ${unreadableFile(path, error).message}`)
  }
  const file = await open(path, 'r').catch(unreadable)
  const start = await textAt(file, 0, LINES_BYTES).catch(async (error) => {
    await file.close()
    return unreadable(error)
  })
  const [first = ''] = start.split('\n')
  if (!LINE.test(first)) {
    await file.close()
    throw new UserError(
      `STANDING_BREACHED_PASSWORDS: ${path} must have one SHA-1 a line, in order: HASH or HASH:COUNT.`,
    )
  }
  return {
    has: (password) => isListed(file, hash('sha1', password).toUpperCase()),
    close: () => file.close(),
  }
}

async function isListed(file: FileHandle, wanted: string): Promise<boolean> {
  // The line, if it is there, begins at `from` or behind it, and before `to`.
  let from = 0
  let to = (await file.stat()).size
  while (to - from > BLOCK_BYTES) {
    const middle = from + Math.floor((to - from) / 2)
    const text = await textAt(file, middle, LINES_BYTES)
    const begin = text.indexOf('\n') + 1
    if (text.slice(begin, begin + HASH_LENGTH).toUpperCase() <= wanted) {
      from = middle + begin
    } else {
      to = middle + begin
    }
  }
  const lines = await textAt(file, from, to - from + LINES_BYTES)
  return lines.split('\n').some((line) => line.slice(0, HASH_LENGTH).toUpperCase() === wanted)
}

/** Of one byte a character: hashes and counts have no others. */
async function textAt(file: FileHandle, position: number, length: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.toString('latin1', 0, bytesRead)
}
