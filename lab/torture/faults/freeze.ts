import { pause } from '../../../src/lib/pause.ts'
import { family, signalAll } from '../../processes.ts'
import type { Fault } from '../fault.ts'

/** Longer than the service waits for a statement. */
const FROZEN_MS = 6_500

/** A node, or the whole database, is paused for a while (SIGSTOP) and resumes. */
export const freeze: Fault = {
  name: 'frozen processes',
  what: 'a node, or PostgreSQL with all its processes, stands still for 6.5 s (SIGSTOP)',
  async strike({ stage, round }) {
    const node = stage.nodes[round % stage.nodes.length]
    const pids = round % 2 === 0 ? [node?.pid() ?? 0] : family(stage.databasePid())
    signalAll(pids, 'SIGSTOP')
    try {
      await pause(FROZEN_MS)
    } finally {
      signalAll(pids, 'SIGCONT')
    }
  },
}
