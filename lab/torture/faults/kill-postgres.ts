import { pause } from '../../../src/lib/pause.ts'
import type { Fault } from '../fault.ts'

/** A server starts again within a second; on a busy machine it takes many times that. */
const STARTED_MAX_MS = 120_000

/** The database server ends at once; what supervises it starts it again. */
export const killPostgres: Fault = {
  name: 'kill -9 of PostgreSQL',
  what: 'the database server is killed and recovers from its log',
  async strike({ stage }) {
    const pid = stage.databasePid()
    const until = performance.now() + STARTED_MAX_MS
    process.kill(pid, 'SIGKILL')
    while (stage.databasePid() === pid) {
      if (performance.now() > until) {
        throw new Error('PostgreSQL was not started again')
      }
      await pause(20)
    }
  },
}
