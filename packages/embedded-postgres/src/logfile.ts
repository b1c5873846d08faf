import { chown, copyFile, type FileHandle, open, stat, truncate } from 'node:fs/promises'
import type { Paths } from './paths.ts'
import type { User } from './user.ts'

/** Some hundred thousand lines. With the previous file the log takes twice this at most. */
const LOG_MAX_BYTES = 16 * 1024 * 1024

/** How much of the log an error message quotes. */
const QUOTED_MAX_BYTES = 4000

/**
 * Opens the server's log for appending. It belongs to the user that the server runs as, who can then
 * also start it without root.
 */
export async function openLog(paths: Paths, user: User): Promise<FileHandle> {
  const file = await open(paths.logFile, 'a', 0o600)
  if (user.switched) {
    await chown(paths.logFile, user.uid, user.gid)
  }
  return file
}

/** Keeps the log short. The server appends, so its file can be truncated while it writes. */
export async function trimLog(paths: Paths, maxBytes = LOG_MAX_BYTES): Promise<void> {
  if ((await logSize(paths)) <= maxBytes) {
    return
  }
  await copyFile(paths.logFile, `${paths.logFile}.old`)
  await truncate(paths.logFile)
}

export async function logSize(paths: Paths): Promise<number> {
  const found = await stat(paths.logFile).catch(() => undefined)
  return found?.size ?? 0
}

/** The last lines that the server wrote after `offset`. */
export async function logSince(paths: Paths, offset: number): Promise<string> {
  const file = await open(paths.logFile)
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
