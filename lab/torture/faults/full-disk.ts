import { mkdtemp, open, rm, statfs, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pause } from '../../../src/lib/pause.ts'
import type { Fault } from '../fault.ts'
import { mount, unmount } from '../mount.ts'
import { privilege } from '../privilege.ts'

/** A new cluster takes 60 MiB and the reserve 64; the log of PostgreSQL grows by 16 at a time. */
const DISK_MIB = 480
const FREE_MIN_MIB = 64

/** How long the disk stays full. */
const FULL_MS = 3_000

const CHUNK = Buffer.alloc(1024 ** 2, 1)

/** Something else fills the disk of the database to the last byte, and goes away again. */
export const fullDisk: Fault = {
  name: 'full disk',
  what: 'a file fills the disk (a tmpfs) to the last byte for 3 s',
  impossible: () => privilege('mounting a tmpfs'),
  async prepare() {
    const dir = await mkdtemp(join(tmpdir(), 'standing-disk-'))
    mount('-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', dir)
    return {
      stage: { nodes: 'embedded', dir, env: { STANDING_DISK_FREE_MIN: String(FREE_MIN_MIB) } },
      async remove() {
        await unmount(dir)
        await rm(dir, { recursive: true })
      },
    }
  },
  async strike({ stage: { dir } }) {
    const path = join(dir, 'ballast')
    await fill(path)
    await pause(FULL_MS)
    const { bavail } = await statfs(dir)
    if (bavail > 64 * 1024) {
      throw new Error('the disk was not filled')
    }
    await unlink(path)
  },
}

async function fill(path: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    for (;;) {
      const { bytesWritten } = await file.write(CHUNK)
      if (bytesWritten < CHUNK.length) {
        return
      }
    }
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOSPC') {
      throw error
    }
  } finally {
    await file.close()
  }
}
