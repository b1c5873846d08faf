import { pause } from '../../../src/lib/pause.ts'
import type { Fault } from '../fault.ts'

/** Long enough that statements time out on this side. */
const SWALLOWED_MS = 6_500

/** The network takes every byte, and neither end notices. */
export const halfOpen: Fault = {
  name: 'half-open connections',
  what: 'the network swallows all connections to PostgreSQL for 6.5 s',
  async strike({ stage: { proxy } }) {
    // Those of the rounds before: the database would run out of connections.
    proxy?.forget()
    proxy?.swallow()
    await pause(SWALLOWED_MS)
    proxy?.heal()
  },
}
