import { pause } from '../../../src/lib/pause.ts'
import type { Fault } from '../fault.ts'

/** The database server ends at once; what supervises it starts it again. */
export const killPostgres: Fault = {
  name: 'kill -9 of PostgreSQL',
  what: 'the database server is killed and recovers from its log',
  async strike({ stage }) {
    const pid = stage.databasePid()
    process.kill(pid, 'SIGKILL')
    while (stage.databasePid() === pid) {
      await pause(20)
    }
  },
}
