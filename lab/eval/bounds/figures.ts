/** What single figures on events do: amounts, uptime, severity, difficulty. */
import type { EventData, EventType } from '../../../src/domain/event.ts'
import { below, pick } from '../../../src/domain/testing/chance.ts'
import { DAY_MS } from '../../../src/domain/time.ts'
import { GOOD } from '../tiers.ts'
import type { Bound, Check, Run } from './bound.ts'
import type { Planned } from './days.ts'
import { createWorld, type World, worldWithAgent } from './world.ts'

function exitScam(run: Run): readonly Check[] {
  const world = worldWithAgent(run, { honest: 4, colluders: 1 })
  const limit = () => world.score('agent').exposureLimit ?? 0
  const honest = limit()
  const million = (by: string, type: EventType, ms: number): Planned => {
    const data = { amount: 1e6, currency: 'USD' }
    return { agent: 'agent', ms, by, type, data, isAttack: true }
  }
  const bought = Array.from({ length: 60 }, (_, i) =>
    million('colluder-0', 'payment.completed', i * 60_000),
  )
  world.play([...world.honestDay('agent'), ...bought])
  const raised = limit()
  world.play([0, 1, 2].map((i) => million(`honest-${i}`, 'payment.disputed', i * 60_000)))
  return [
    { measure: 'limit after payments of $10 to $110, in $', value: honest, asked: { most: 250 } },
    { measure: 'limit after 60 x $1,000,000 by one of 5', value: raised, asked: { most: 250 } },
    { measure: '% of it after 3 defaults', value: (100 * limit()) / raised, asked: { most: 70 } },
  ]
}

/** Points after twenty good tasks and ten events of a kind, on one day or on ten. */
function pointsAfter(run: Run, type: EventType, data: EventData, isDaily = false): number {
  const world = createWorld(run, { honest: 1 })
  world.addAgent('agent')
  const events = (count: number, type: EventType, data: EventData, from: number) =>
    Array.from({ length: count }, (_, i): Planned => {
      const by = 'honest-0'
      return { agent: 'agent', ms: from + i * 60_000, by, type, data, isAttack: true }
    })
  const [days, perDay] = isDaily ? [10, 1] : [1, 10]
  world.play([...events(20, 'task.completed', {}, 0), ...events(perDay, type, data, DAY_MS / 2)])
  for (let day = 1; day < days; day++) {
    world.play(events(perDay, type, data, DAY_MS / 2))
  }
  return world.points('agent')
}

/** By how much the least of all steps goes down, in a list that is to fall strictly. */
function leastStep(points: readonly number[]): number {
  return Math.min(...points.slice(1).map((value, i) => (points[i] ?? 0) - value))
}

function uptime(run: Run): readonly Check[] {
  // The reports of a day are one observation.
  const at = (uptimePercentage: number) =>
    pointsAfter(run, 'uptime.report', { uptimePercentage }, true)
  const nothing = at(95)
  return [
    { measure: '0 % on ten days lowers by', value: nothing - at(0), asked: { least: 20 } },
    { measure: '99.9 % on ten days raises by', value: at(99.9) - nothing, asked: { least: 0 } },
  ]
}

function severity(run: Run): readonly Check[] {
  const errors = (['low', 'medium', 'high', 'critical'] as const).map((severity) =>
    pointsAfter(run, 'error.reported', { severity }),
  )
  const payments = [
    ...[1, 30, 300].map((daysLate) => pointsAfter(run, 'payment.late', { daysLate })),
    pointsAfter(run, 'payment.failed', {}),
    pointsAfter(run, 'payment.disputed', {}),
  ]
  const tasks = [pointsAfter(run, 'task.failed', {}), pointsAfter(run, 'task.timeout', {})]
  return [
    {
      measure: 'smallest step between severities',
      value: leastStep(errors),
      asked: { least: 0.1 },
    },
    {
      measure: 'smallest step between bad payments',
      value: leastStep(payments),
      asked: { least: 0.1 },
    },
    { measure: 'from failed to timeout', value: leastStep(tasks), asked: { least: 0.1 } },
  ]
}

const AGENTS = 40

/** What each difficulty takes from the logarithm of the odds. */
const DIFFICULTY = { 1: -2.5, 2: 0, 3: 2.5 } as const

/** Success by ability and difficulty: a Rasch model. */
function succeeds({ chance }: World, ability: number, difficulty: 1 | 2 | 3): boolean {
  const odds = Math.exp(ability - DIFFICULTY[difficulty])
  return chance() < odds / (1 + odds)
}

/** Agents of 20 to 80 % at ordinary work; the weakest gets easy tasks, the strongest hard ones. */
function difficulty(run: Run): readonly Check[] {
  const world = createWorld(run, { honest: 4 })
  const abilityOf = (i: number) => -1.4 + (2.8 * i) / (AGENTS - 1)
  const [weakest, strongest] = [0, AGENTS - 1]
  const agents = Array.from({ length: AGENTS }, (_, i) => `agent-${i}`)
  for (const id of agents) {
    world.addAgent(id)
    world.issue(id, 'honest-0')
  }
  for (let day = 0; day < 60; day++) {
    const events = agents.flatMap((agent, i) =>
      Array.from({ length: 6 }, (): Planned => {
        const usual = pick(world.chance, [1, 2, 3] as const)
        const level = i === weakest ? 1 : i === strongest ? 3 : usual
        const type = succeeds(world, abilityOf(i), level) ? 'task.completed' : 'task.failed'
        const by = pick(world.chance, world.honest)
        const ms = below(world.chance, DAY_MS)
        return { agent, ms, by, type, data: { difficulty: level }, isAttack: true }
      }),
    )
    world.play(events)
  }
  const points = agents.map((agent) => world.points(agent))
  const best = points.slice(Math.ceil(0.75 * AGENTS), -1)
  const lead = (points[strongest] ?? 0) - (points[weakest] ?? 0)
  return [
    {
      measure: 'points of the strongest on hard above the weakest on easy',
      value: lead,
      asked: { least: 0 },
    },
    {
      measure: 'lowest score of the best quarter',
      value: Math.min(...best),
      asked: { least: GOOD },
      holds: { least: 580 },
    },
  ]
}

export const FIGURES: readonly Bound[] = [
  { row: '15', what: 'exit scam with $1,000,000', before: 'no limit', run: exitScam },
  {
    row: '16',
    what: 'uptime reports count by their percentage',
    before: '0 % counted as positive',
    run: uptime,
  },
  {
    row: '17',
    what: 'a more severe report lowers the score more',
    before: 'high as medium',
    run: severity,
  },
  {
    row: '18',
    what: 'easy and hard work',
    before: 'weakest on easy above strongest on hard',
    run: difficulty,
  },
]
