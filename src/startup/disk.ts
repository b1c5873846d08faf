import type { Config } from '../config.ts'
import type { Log } from '../lib/log.ts'
import { type DiskGuard, startDiskGuard } from '../ops/disk.ts'
import type { Closers } from './closers.ts'
import { makeDataDir } from './data-dir.ts'

/** Watches the disk of the data directory; before the database starts, which may need the reserve. */
export async function openDisk(config: Config, log: Log, closers: Closers): Promise<DiskGuard> {
  const { dataDir, diskFreeMinBytes } = config
  if (diskFreeMinBytes !== null) {
    await makeDataDir(dataDir)
  }
  const guard = await startDiskGuard({
    dir: diskFreeMinBytes === null ? null : dataDir,
    freeMinBytes: diskFreeMinBytes ?? 0,
    log,
  })
  closers.push({ name: 'disk', close: () => guard.close() })
  return guard
}
