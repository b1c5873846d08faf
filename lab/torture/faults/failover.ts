import type { Fault } from '../fault.ts'

/** The machine of the primary is gone; its synchronous standby takes its place, and gets one of its own. */
export const failover: Fault = {
  name: 'failover',
  what: 'the primary is killed, its synchronous standby is promoted, and gets a new standby',
  impossible: () => (process.platform === 'linux' ? null : 'a failover is done on Linux alone'),
  prepare: async () => ({ stage: { nodes: 'pair' } }),
  async strike({ stage }) {
    if (!stage.failOver) {
      throw new Error('the database has no standby')
    }
    await stage.failOver()
  },
}
