/** What platforms that report only uptime do for an agent that does not work. */
import { POOR } from '../tiers.ts'
import type { Bound, Check, Run } from './bound.ts'
import type { Planned } from './days.ts'
import { createWorld } from './world.ts'

const DAYS = 90

/** Every task fails at the only marketplace; each monitor reports an uptime of 99.95 % once a day. */
function pointsWith(run: Run, monitors: number): number {
  const world = createWorld(run, { honest: 1, colluders: monitors })
  world.addAgent('agent')
  const data = { uptimePercentage: 99.95 }
  const uptime = world.colluders.map((by, i): Planned => {
    return { agent: 'agent', ms: i, by, type: 'uptime.report', data, isAttack: true }
  })
  for (let day = 0; day < DAYS; day++) {
    world.play([...world.honestDay('agent', { payments: 0, good: 0 }), ...uptime])
  }
  return world.points('agent')
}

function upButFailing(run: Run): readonly Check[] {
  return [1, 2, 4].map((monitors) => ({
    measure: `score, ${monitors} ${monitors === 1 ? 'monitor' : 'monitors'}`,
    value: pointsWith(run, monitors),
    asked: { most: POOR - 1 },
    holds: { most: 780 },
  }))
}

export const MONITORS: readonly Bound[] = [
  {
    row: '35',
    what: 'all tasks fail at the only marketplace, and monitors report that the agent is up',
    run: upButFailing,
  },
]
