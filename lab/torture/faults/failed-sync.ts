import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { pause } from '../../../src/lib/pause.ts'
import { family, signalAll } from '../../processes.ts'
import type { Fault } from '../fault.ts'
import { privilege } from '../privilege.ts'

/** As long as a commit under load surely meets it. */
const FAILING_MS = 2_000

/** The disk reports an error to every process of PostgreSQL that asks it to keep what was written. */
export const failedSync: Fault = {
  name: 'failed fsync',
  what: 'for 2 s every fsync and fdatasync of PostgreSQL fails with EIO (strace)',
  impossible: () =>
    privilege('a failed fsync') ??
    (spawnSync('strace', ['-V']).error ? 'a failed fsync takes strace' : null),
  async strike({ stage }) {
    const pids = family(stage.databasePid())
    const traced = pids.flatMap((pid) => ['-p', String(pid)])
    const calls = ['-e', 'trace=fsync,fdatasync', '-e', 'inject=fsync,fdatasync:error=EIO']
    const tracer = spawn('strace', ['-f', '-qq', '-o', '/dev/null', ...calls, ...traced], {
      stdio: 'ignore',
    })
    const ended = once(tracer, 'exit')
    await pause(FAILING_MS)
    tracer.kill('SIGTERM')
    await ended
    // A process that strace had stopped when it was ended itself would stand still for ever.
    signalAll([...pids, ...family(stage.databasePid())], 'SIGCONT')
  },
}
