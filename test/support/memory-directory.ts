import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Files here are in memory, on Linux. */
const MEMORY = '/dev/shm'

/** Several times what the log and the databases of all workers take. A container's has 64 MB. */
const FREE_MIN_BYTES = 4 * 1024 ** 3

/**
 * A new directory, in memory where there is room: a database of a hundred tables is copied there in a
 * tenth of the time. Its name has the id of this process, and those of processes that were killed are
 * removed.
 */
export async function memoryDirectory(prefix: string): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => undefined)
  const isRoomy = memory !== undefined && memory.bavail * memory.bsize >= FREE_MIN_BYTES
  const parent = isRoomy ? MEMORY : tmpdir()
  if (isRoomy) {
    await removeLeftovers(prefix)
  }
  return mkdtemp(join(parent, `${prefix}${process.pid}-`))
}

async function removeLeftovers(prefix: string): Promise<void> {
  for (const name of await readdir(MEMORY)) {
    const pid = name.startsWith(prefix)
      ? Number.parseInt(name.slice(prefix.length), 10)
      : Number.NaN
    if (pid > 0 && !isRunning(pid)) {
      await rm(join(MEMORY, name), { recursive: true, force: true })
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process is another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
