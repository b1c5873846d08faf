/** How long an hour of bad reports is remembered. */
import { below } from '../../../src/domain/testing/chance.ts'
import { HOUR_MS } from '../../../src/domain/time.ts'
import { GOOD } from '../tiers.ts'
import type { Bound, Check, Run } from './bound.ts'
import type { Planned, Work } from './days.ts'
import { worldWithAgent } from './world.ts'

/** Half a year after it. */
const DAYS = 180

interface Burst {
  readonly perPlatform: number
  readonly type: 'task.failed' | 'payment.disputed'
  readonly work?: Work
}

/** Days on which an agent is below Good, and its twin is not, after an hour in which each of three platforms has so many
 *  bad reports. */
function daysBelow(run: Run, { perPlatform, type, work = {} }: Burst): number {
  const world = worldWithAgent(run, { honest: 3 }, { work })
  const data = type === 'task.failed' ? {} : { amount: 20, currency: 'USD' }
  const burst = world.honest.flatMap((by) =>
    Array.from({ length: perPlatform }, (): Planned => {
      return { agent: 'agent', ms: below(world.chance, HOUR_MS), by, type, data, isAttack: true }
    }),
  )
  let days = 0
  for (let day = 0; day < DAYS; day++) {
    world.play([...(day === 0 ? burst : []), ...world.honestDay('agent', work)])
    days += world.points('agent') < GOOD && world.twinPoints('agent') >= GOOD ? 1 : 0
  }
  return days
}

function outage(run: Run): readonly Check[] {
  return [10, 20, 40, 80].map((perPlatform) => ({
    measure: `days that it costs below Good, ${perPlatform} failures at each`,
    value: daysBelow(run, { perPlatform, type: 'task.failed' }),
    asked: { most: 10 },
    holds: { most: 175 },
  }))
}

function ruin(run: Run): readonly Check[] {
  const work = { tasks: 1, payments: 0 }
  return [1, 2, 4].map((perPlatform) => ({
    measure: `days that it costs below Good, ${perPlatform} at each`,
    value: daysBelow(run, { perPlatform, type: 'payment.disputed', work }),
    asked: { most: 10 },
    holds: { most: 150 },
  }))
}

export const BURSTS: readonly Bound[] = [
  { row: '36', what: 'an hour of outage with retries, at all of three platforms', run: outage },
  {
    row: '36',
    what: 'an agent with one report a day at three platforms has an hour of disputed orders',
    run: ruin,
  },
]
