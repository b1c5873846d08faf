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

/** What it costs an agent, beside its twin, that each of three platforms has so many bad reports in an hour. */
function costOf(run: Run, { perPlatform, type, work = {} }: Burst) {
  const world = worldWithAgent(run, { honest: 3 }, { work })
  const data = type === 'task.failed' ? {} : { amount: 20, currency: 'USD' }
  const burst = world.honest.flatMap((by) =>
    Array.from({ length: perPlatform }, (): Planned => {
      return { agent: 'agent', ms: below(world.chance, HOUR_MS), by, type, data, isAttack: true }
    }),
  )
  let [days, lost] = [0, 0]
  for (let day = 0; day < DAYS; day++) {
    world.play([...(day === 0 ? burst : []), ...world.honestDay('agent', work)])
    const [points, twin] = [world.points('agent'), world.twinPoints('agent')]
    days += points < GOOD && twin >= GOOD ? 1 : 0
    lost += twin - points
  }
  return { days, lost: lost / DAYS }
}

function outage(run: Run): readonly Check[] {
  return [10, 20, 40, 80].map((perPlatform) => ({
    measure: `days that it costs below Good, ${perPlatform} failures at each`,
    value: costOf(run, { perPlatform, type: 'task.failed' }).days,
    asked: { most: 10 },
    holds: { most: 120 },
  }))
}

function ruin(run: Run): readonly Check[] {
  const work = { tasks: 1, payments: 0 }
  return [1, 2, 4].map((perPlatform) => ({
    measure: `points lost on average, ${perPlatform} at each`,
    value: costOf(run, { perPlatform, type: 'payment.disputed', work }).lost,
    asked: { most: 20 },
    holds: { most: 60 + 40 * perPlatform },
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
