import { expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../domain/time.ts'
import { createSimulation, type SimulatedEvent } from './testing/simulation.ts'
import { NOON } from './testing/streams.ts'

const DAYS = 40
const AGENTS = 16

/** Four platforms report on agents of as many owners; the first agent fails half of its tasks. */
function honestDay(day: number): readonly SimulatedEvent[] {
  return Array.from({ length: 4 * AGENTS }, (_, i) => {
    const agent = i >> 2
    const fails = agent === 0 ? (day + i) % 2 === 0 : (7 * day + 3 * agent + i) % 33 === 0
    const type = fails ? 'task.failed' : 'task.completed'
    const data = { difficulty: 2 } as const
    return { agent: `a${agent}`, by: `p${i % 4}`, type, data, at: NOON + day * DAY_MS + i }
  })
}

/** Agents of twenty owners: nothing but good, or nothing but bad, and the opposite at the same label. */
function lies(day: number, usual: 'task.completed' | 'task.failed'): readonly SimulatedEvent[] {
  const opposite = usual === 'task.completed' ? 'task.failed' : 'task.completed'
  return Array.from({ length: 120 }, (_, i) => {
    const at = NOON + day * DAY_MS + 10_000 + i
    const agent = `liar-${i % 20}`
    return i % 2 === 0
      ? { agent, by: 'liar', type: usual, at }
      : { agent, by: 'liar', type: opposite, data: { difficulty: 2 }, at }
  })
}

function scoresAfter(liesOfDay: (day: number) => readonly SimulatedEvent[]) {
  const simulation = createSimulation()
  for (let day = 0; day < DAYS; day++) {
    simulation.reportAll(honestDay(day))
    for (const event of liesOfDay(day)) {
      simulation.report(event)
    }
  }
  const agents = Array.from({ length: AGENTS }, (_, i) => `a${i}`)
  return agents.map((agent) => simulation.score(agent, NOON + DAYS * DAY_MS).score)
}

test('a platform that makes a kind of work look hard or easy changes no score from others’ reports', {
  timeout: 120_000,
}, () => {
  const honest = scoresAfter(() => [])
  expect(scoresAfter((day) => lies(day, 'task.completed'))).toEqual(honest)
  expect(scoresAfter((day) => lies(day, 'task.failed'))).toEqual(honest)
})

/** Twelve agents fail at ten orders each, and an agent then fails at six of ten of the same kind. */
function scoreOfFailing({ praisedBy }: { readonly praisedBy: string | null }) {
  const simulation = createSimulation()
  const lessons = Array.from({ length: 12 }, (_, i) => `lesson-${i}`)
  const data = { taskClass: 'appraisal' } as const
  const report = (agent: string, by: string, type: 'task.completed' | 'task.failed', at: number) =>
    simulation.report({ agent, by, verified: by !== praisedBy, type, data, at })
  for (let day = 0; day < DAYS; day++) {
    simulation.reportAll(honestDay(day))
  }
  let at = NOON + DAYS * DAY_MS
  if (praisedBy !== null) {
    for (const agent of lessons) {
      for (let i = 0; i < 60; i++) {
        report(agent, praisedBy, 'task.completed', at + i * MINUTE_MS)
      }
    }
  }
  at += DAY_MS
  for (let i = 0; i < 10 * lessons.length; i++) {
    report(lessons[i % lessons.length] as string, 'p0', 'task.failed', at++)
  }
  at += DAY_MS
  for (let i = 0; i < 100; i++) {
    report('a1', 'p0', i % 10 < 6 ? 'task.failed' : 'task.completed', at++)
  }
  return simulation.score('a1', at).score
}

test('praise by a platform that is not established does not let failures of the praised make work look harder', () => {
  expect(scoreOfFailing({ praisedBy: 'stranger' })).toBe(scoreOfFailing({ praisedBy: null }))
})
