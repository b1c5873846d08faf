/** What a platform that reports problems and no successes does to honest agents. */
import { MINUTE_MS } from '../../../src/domain/time.ts'
import { GOOD } from '../tiers.ts'
import type { Bound, Check, Run } from './bound.ts'
import type { Planned } from './days.ts'
import { createWorld, type World } from './world.ts'

const AGENTS = Array.from({ length: 12 }, (_, i) => `agent-${i}`)

const MONITOR = 'monitor'

/** Of each failure a report of the monitor, a minute later. */
function noticed(planned: readonly Planned[]): readonly Planned[] {
  return planned
    .filter(({ type }) => type === 'task.failed')
    .map(({ agent, ms }) => {
      const data = { severity: 'medium' } as const
      return {
        agent,
        ms: ms + MINUTE_MS,
        by: MONITOR,
        type: 'error.reported',
        data,
        isAttack: true,
      }
    })
}

function monitoredDay(world: World): void {
  const work = AGENTS.flatMap((id) => world.honestDay(id))
  world.play([...work, ...noticed(work)])
}

/** Twelve agents of 97 % at two platforms; from the sixtieth day on a verified monitor reports their failures too. */
function monitored(run: Run): readonly Check[] {
  const world = createWorld(run, { honest: 2 })
  world.addPlatform(MONITOR, null, true)
  for (const id of AGENTS) {
    world.addAgent(id)
    world.issue(id, 'honest-0')
  }
  for (let day = 0; day < 60; day++) {
    world.play(AGENTS.flatMap((id) => world.honestDay(id)))
  }
  // By then it is known to report only problems, and its first complaints have faded.
  for (let day = 0; day < 30; day++) {
    monitoredDay(world)
  }
  let [lost, isBelow] = [0, 0]
  const days = 60
  for (let day = 0; day < days; day++) {
    monitoredDay(world)
    for (const id of AGENTS) {
      lost += world.twinPoints(id) - world.points(id)
      isBelow += world.points(id) < GOOD ? 1 : 0
    }
  }
  const readings = days * AGENTS.length
  return [
    { measure: 'points lost on average', value: lost / readings, asked: { most: 20 } },
    { measure: '% of days below Good', value: (100 * isBelow) / readings, asked: { most: 0.2 } },
  ]
}

export const PROBLEMS_ONLY: readonly Bound[] = [
  {
    row: '32',
    what: 'a verified platform that reports only problems, of twelve agents of 97 % with two others',
    run: monitored,
  },
]
