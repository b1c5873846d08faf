import type { Fault } from '../fault.ts'

/** Some nodes end without a word, in the middle of what they do, and start again. */
export const killService: Fault = {
  name: 'kill -9 of the service',
  what: 'one to three of three nodes are killed and started again',
  async strike({ stage: { nodes }, random }) {
    const count = 1 + Math.floor(random() * nodes.length)
    await Promise.all(
      nodes.slice(0, count).map(async (node) => {
        await node.end('SIGKILL')
        await node.start()
      }),
    )
  },
}
