import type { Fault } from '../fault.ts'

/** The service and the database that it started, by turns and together. */
export const killEmbedded: Fault = {
  name: 'kill -9 of the service with its embedded database',
  what: 'the service, its PostgreSQL, or both are killed',
  prepare: async () => ({ stage: { nodes: 'embedded' } }),
  async strike({ stage: { nodes, databasePid }, round }) {
    const [node] = nodes
    const pid = databasePid()
    if (round % 3 !== 0) {
      process.kill(pid, 'SIGKILL')
    }
    if (round % 3 !== 1) {
      await node?.end('SIGKILL')
      await node?.start()
    }
  },
}
