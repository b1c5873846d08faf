import { expect, test } from 'vitest'
import { DAY_MS } from '../domain/time.ts'
import { REPORTER_WEIGHTS } from '../fraud/establishment.ts'
import { createSimulation, type SimulatedEvent } from './testing/simulation.ts'
import { NOON } from './testing/streams.ts'

const AGENTS = Array.from({ length: 5 }, (_, i) => `agent-${i}`)

interface Course {
  /** Platforms that reported on the agents before. */
  readonly earlier?: number
}

/** Ten days on which two platforms report good work of five agents, and a third one these events; its last weight. */
function weightAfter(
  monitored: readonly Omit<SimulatedEvent, 'at'>[],
  { earlier = 0 }: Course = {},
): number {
  const simulation = createSimulation()
  let weight = 0
  for (const agent of AGENTS) {
    for (let i = 0; i < earlier; i++) {
      simulation.report({ agent, by: `earlier-${i}`, at: NOON - DAY_MS + i })
    }
  }
  for (let day = 0; day < 10; day++) {
    let at = NOON + day * DAY_MS
    for (const agent of AGENTS) {
      for (const by of ['one', 'two', 'one', 'two']) {
        simulation.report({ agent, by, at: at++ })
      }
      for (const event of monitored) {
        weight = simulation.report({ agent, by: 'monitor', at: at++, ...event }).reporterWeight
      }
    }
  }
  return weight
}

const FAILED = { type: 'task.failed' } as const
const CONTRADICTORY = { type: 'task.completed', data: { success: false } } as const
const UP = { type: 'uptime.report', data: { uptimePercentage: 100 } } as const

test.each([
  ['nothing', []],
  ['uptime', [UP]],
  ['a quarantined report', [CONTRADICTORY]],
])('a verified platform reports only problems, though each day begins with %s', (_, first) => {
  expect(weightAfter([...first, FAILED])).toBe(REPORTER_WEIGHTS.other)
})

test('a verified platform whose days begin with successes does not report only problems', () => {
  expect(weightAfter([{ type: 'task.completed' }, FAILED, FAILED])).toBe(
    REPORTER_WEIGHTS.established,
  )
})

test('of agents with many platforms, those that report problems only are noticed, and no others', () => {
  const many = { earlier: 12 }
  expect(weightAfter([UP, FAILED], many)).toBe(REPORTER_WEIGHTS.other)
  expect(weightAfter([{ type: 'task.completed' }, FAILED, FAILED], many)).toBe(
    REPORTER_WEIGHTS.established,
  )
})
