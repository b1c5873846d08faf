import { open, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../lib/log.ts'

/** Space that is given to the database when the disk is full all the same. */
export interface Reserve {
  /** Gives the reserve up, or sets it aside again, by what is free. */
  adjust(freeBytes: number, freeMinBytes: number): Promise<void>
}

const FILE = 'reserve'

/** Four segments of PostgreSQL's log: enough to finish a checkpoint, or to start after a crash. */
export const RESERVE_BYTES = 64 * 1024 ** 2

/** With less than this PostgreSQL is about to stop. */
const GIVEN_UP_BELOW_BYTES = 24 * 1024 ** 2

const CHUNK = Buffer.alloc(1024 ** 2)

export function createReserve(dir: string, log: Log): Reserve {
  const path = join(dir, FILE)
  return {
    async adjust(freeBytes, freeMinBytes) {
      const bytes = await sizeOf(path)
      if (bytes !== null && freeBytes < GIVEN_UP_BELOW_BYTES) {
        await unlink(path)
        log.warn({ freeBytes }, 'the reserved disk space was released for the database')
      }
      // A service that was killed while it wrote the reserve has left a part of it.
      if (bytes !== RESERVE_BYTES && freeBytes > freeMinBytes + 2 * RESERVE_BYTES) {
        await write(path)
      }
    },
  }
}

/** Null where there is no such file. */
function sizeOf(path: string): Promise<number | null> {
  return stat(path).then(
    ({ size }) => size,
    () => null,
  )
}

/** Written and not only sized: a file of holes takes no space. */
async function write(path: string): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    for (let size = 0; size < RESERVE_BYTES; size += CHUNK.length) {
      await file.write(CHUNK)
    }
    await file.sync()
  } catch (error) {
    await unlink(path)
    throw error
  } finally {
    await file.close()
  }
}
