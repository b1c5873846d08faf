import type { Fault } from '../fault.ts'

/** As many reports as three nodes can fold about one agent in some seconds. */
const REPORTS = 400

/** No fault but the race: every report is about the same agent, and some are sent to two nodes. */
export const oneAgent: Fault = {
  name: 'three nodes on one agent',
  what: 'three nodes receive the reports about one agent, some of them twice at the same time',
  agents: 1,
  strike: ({ load }) => load.more(REPORTS),
}
