/**
 * The form of a backup: compressed JSON, one value a line. The first line says what it is; then each
 * table, its rows and their number; the last line has the SHA-256 of all lines before it, so that an
 * archive that was cut short or changed is noticed before anything is restored.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, link, lstat, open, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { linesIn } from '../../../src/lib/text-lines.ts'
import { UserError, unreadableFile, unwritableFile } from '../../../src/lib/user-error.ts'
import { syncDirectory } from '../../../src/startup/data-dir.ts'
import { undoneIfInterrupted } from '../interrupt.ts'

/** Another form of archive gets another name. */
export const FORM = 'standing-backup-1'

export interface Header {
  readonly form: typeof FORM
  /** RFC 3339, when the snapshot was taken. */
  readonly createdAt: string
  /** The migrations of the database, in their order. */
  readonly migrations: readonly string[]
  /** Shows whether a master key opens the backup; reveals nothing of the key. */
  readonly keyChecks: readonly string[]
  /** The master key in base64; null unless it was asked for. */
  readonly masterKey: string | null
}

export type Line =
  | { readonly header: Header }
  | { readonly table: string; readonly columns: readonly string[] }
  /** The text that PostgreSQL writes for a row, and reads. */
  | { readonly rows: readonly string[] }
  | { readonly sequence: string; readonly value: number }

interface End {
  readonly sha256: string
}

/** Compresses most of what there is to gain, at several times the speed of the default. */
const GZIP_LEVEL = 3

/**
 * Lets `write` create an archive under the name of a draft, and gives it its own name when that has succeeded. A file
 * of this name stays as it is, and no draft is left behind where a signal ends the process.
 * @throws UserError where the file cannot be written
 */
export async function publishArchive<T>(
  file: string,
  write: (draft: string) => Promise<T>,
): Promise<T> {
  await refuseExisting(file)
  const draft = `${file}.${process.pid}.part`
  const removeDraft = () => unlink(draft).catch(() => {})
  const ended = undoneIfInterrupted(removeDraft)
  try {
    const result = await write(draft)
    await nameDraft(draft, file)
    await syncDirectory(dirname(file))
    return result
  } catch (error) {
    throw unwritable(file, error)
  } finally {
    await removeDraft()
    await ended()
  }
}

/** Before an archive is written, which may take long. */
async function refuseExisting(file: string): Promise<void> {
  const found = await lstat(file).catch(() => null)
  if (found !== null) {
    throw existing(file)
  }
}

/** Codes of file systems that have no hard links, as network shares. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

/** Replaces no file that was made meanwhile. A link does not; where there are none, an empty file takes the name first. */
async function nameDraft(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file)
  } catch (error) {
    if (!NO_LINKS.includes((error as NodeJS.ErrnoException).code ?? '')) {
      throw error
    }
    await (await open(file, 'wx')).close()
    await rename(draft, file)
  }
}

/** Writes an archive that its owner alone can read. */
export async function writeArchive(file: string, lines: AsyncIterable<Line>): Promise<void> {
  const out = createWriteStream(file, { mode: 0o600, flags: 'wx', flush: true })
  await pipeline(Readable.from(withChecksum(lines)), createGzip({ level: GZIP_LEVEL }), out)
  await chmod(file, 0o600)
}

async function* withChecksum(lines: AsyncIterable<Line>): AsyncGenerator<string> {
  const hash = createHash('sha256')
  for await (const line of lines) {
    const text = `${JSON.stringify(line)}\n`
    hash.update(text)
    yield text
  }
  const end: End = { sha256: hash.digest('hex') }
  yield `${JSON.stringify({ end })}\n`
}

/** Reads an archive. @throws UserError at the end, if it is not complete to the last bit */
export async function* readArchive(file: string): AsyncGenerator<Line> {
  const hash = createHash('sha256')
  let isComplete = false
  try {
    for await (const text of linesOf(file)) {
      if (isComplete) {
        throw broken(file, 'there is something behind its end')
      }
      const line = JSON.parse(text) as Line | { readonly end: End }
      if ('end' in line) {
        isComplete = line.end.sha256 === hash.digest('hex')
        if (!isComplete) {
          throw broken(file, 'it was changed')
        }
      } else {
        hash.update(`${text}\n`)
        yield line
      }
    }
  } catch (error) {
    throw unreadable(file, error)
  }
  if (!isComplete) {
    throw broken(file, 'its end is missing')
  }
}

function linesOf(file: string): AsyncGenerator<string, void> {
  // Not readline: it says nothing of an error of its input.
  const gunzip = createGunzip()
  createReadStream(file)
    .on('error', (error) => gunzip.destroy(error))
    .pipe(gunzip)
  const unfinished = () => broken(file, 'its end is missing')
  return linesIn(gunzip.setEncoding('utf8'), Number.POSITIVE_INFINITY, unfinished)
}

function broken(file: string, why: string): UserError {
  return new UserError(`${file} is not a complete backup: ${why}. Nothing was changed.`)
}

function unreadable(file: string, error: unknown): unknown {
  if (error instanceof UserError) {
    return error
  }
  const { code = '' } = error as NodeJS.ErrnoException
  if (error instanceof SyntaxError || code.startsWith('Z_')) {
    return broken(file, 'it was cut short or changed, or is no backup')
  }
  return code === '' ? error : unreadableFile(file, error)
}

function unwritable(file: string, error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'EEXIST') {
    return existing(file)
  }
  return /^E[A-Z]+$/.test(code) ? unwritableFile(file, error) : error
}

function existing(file: string): UserError {
  return new UserError(`${file} exists. Choose another name, or remove it first.`)
}
