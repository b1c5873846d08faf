import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Embedded } from '@standing/embedded-postgres'
import { startEmbeddedDatabase } from '../../src/startup/embedded-database.ts'
import { signalAll } from '../processes.ts'

/** An embedded database for one measurement, in a folder of its own. */
export interface BenchDatabase extends Pick<Embedded, 'pid' | 'connection'> {
  readonly url: string
  readonly folder: string
  /** Stops it and removes the folder. */
  close(): Promise<void>
}

export async function openDatabase(
  settings: Readonly<Record<string, string>> = {},
): Promise<BenchDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'standing-bench-'))
  const embedded = await startEmbeddedDatabase({ dataDir: folder, settings })
  const { pid, connection } = embedded
  // The server outlives this process: a bench that fails while it is set up would leave it behind.
  const stopAtExit = () => signalAll([embedded.pid], 'SIGINT')
  process.once('exit', stopAtExit)
  const { host, port, user, database } = connection
  return {
    pid,
    connection,
    url: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`,
    folder,
    async close() {
      process.off('exit', stopAtExit)
      await embedded.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
