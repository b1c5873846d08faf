import { chown, copyFile, type FileHandle, open, stat, truncate } from 'node:fs/promises'
import type { Place } from './paths.ts'
import type { User } from './user.ts'

/** Some hundred thousand lines; with the one kept before it the log never takes more than twice this. */
const LOG_MAX_BYTES = 16 * 1024 * 1024

/** How much of the log an error message quotes. */
const QUOTED_MAX_BYTES = 4000

/**
 * Opens the server's log for appending. It belongs to whom the server runs as, so that a start by
 * root does not shut that user out.
 */
export async function openLog(place: Place, user: User): Promise<FileHandle> {
  const file = await open(place.logFile, 'a', 0o600)
  if (user.switched) {
    await chown(place.logFile, user.uid, user.gid)
  }
  return file
}

/** Keeps the log short. The server appends, so its file may be emptied while it writes. */
export async function trimLog(place: Place, maxBytes = LOG_MAX_BYTES): Promise<void> {
  if ((await logSize(place)) <= maxBytes) {
    return
  }
  await copyFile(place.logFile, `${place.logFile}.old`)
  await truncate(place.logFile)
}

export async function logSize(place: Place): Promise<number> {
  const found = await stat(place.logFile).catch(() => undefined)
  return found?.size ?? 0
}

/** The last lines the server wrote behind `offset`. */
export async function logSince(place: Place, offset: number): Promise<string> {
  const file = await open(place.logFile)
  try {
    const { size } = await file.stat()
    const start = Math.max(offset, size - QUOTED_MAX_BYTES)
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.alloc(QUOTED_MAX_BYTES),
      position: start,
    })
    return buffer.subarray(0, bytesRead).toString('utf8').trim()
  } finally {
    await file.close()
  }
}
