import type { Fault } from '../fault.ts'

/** Nodes are stopped and started again one after the other, as in a rolling upgrade. */
export const sigterm: Fault = {
  name: 'SIGTERM under load',
  what: 'each of three nodes is stopped and started again; each has to exit with 0',
  async strike({ stage: { nodes } }) {
    for (const node of nodes) {
      const code = await node.end('SIGTERM')
      if (code !== 0) {
        throw new Error(`the service ended with ${code}: ${node.complaints().join('\n')}`)
      }
      await node.start()
    }
  },
}
