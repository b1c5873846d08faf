import { expect, test } from 'vitest'
import { type Attack, attacks } from '../lab/eval/fraud/attacks.ts'
import { honestCases } from '../lab/eval/fraud/honest-cases.ts'
import { outcomeOf, safeShare } from '../lab/eval/fraud/outcome.ts'
import type { RuleSettings } from '../src/fraud/rules.ts'
import { createSimulation } from '../src/ingest/testing/simulation.ts'
import { settingsBy } from './support/settings.ts'

/** The attacks that eval:fraud measures, decided on and scored as the service does it. */
const [named, evasions] = [false, true].map((isEvasion) =>
  attacks().filter(({ name, events }) => {
    const isOne = name.startsWith('A11 ') && events.length >= 200
    return isOne === isEvasion && events.length <= 5_000
  }),
)

const safeShareOf = (attack: Attack, settings?: RuleSettings) =>
  safeShare([outcomeOf(attack, settings)])

test.each((named ?? []).map((attack) => [attack.name, attack.bound, attack] as const))(
  '%s: quarantined, or %s',
  (_name, _bound, attack) => {
    expect(safeShareOf(attack)).toBeGreaterThanOrEqual(0.9)
  },
)

test.each(honestCases().map(({ name, events }) => [name, events] as const))(
  'no event is quarantined of %s',
  (_name, events) => {
    expect(createSimulation().reportAll(events)).toEqual({ quarantined: 0, flags: new Set() })
  },
)

test('each evasion of a sample is mostly quarantined or harmless', () => {
  const sample = (evasions ?? []).filter((_, i) => i % 17 === 0)
  for (const attack of sample) {
    expect(safeShareOf(attack), attack.name).toBeGreaterThanOrEqual(0.85)
  }
})

test.each([0.9, 1.1])(
  'with thresholds %d times the default the worst attack stays within its bound',
  (factor) => {
    const slander = (named ?? []).filter(({ name }) => name.startsWith('A6 one platform of four'))
    expect(slander).toHaveLength(1)
    for (const attack of slander) {
      expect(safeShareOf(attack, settingsBy(factor))).toBeGreaterThan(0.95)
    }
  },
)

test('A3: a hundred good self-reports an hour for a month do not reach Good', () => {
  const simulation = createSimulation()
  const start = Date.UTC(2026, 0, 1)
  const step = (30 * 86_400_000) / 7_200
  for (let i = 0; i < 7_200; i++) {
    simulation.report({ at: start + i * step, by: null })
  }
  expect(simulation.score('agent', start + 30 * 86_400_000).score).toBeLessThan(650)
})

test('A8: changing the order of past events gains no points', () => {
  const start = Date.UTC(2026, 0, 30)
  const scores = [1, 7, 13, 29].map((stride) => {
    const simulation = createSimulation()
    for (let i = 0; i < 60; i++) {
      const occurredAt = start - ((i * stride) % 60) * 3_600_000
      simulation.report({
        at: start + i,
        occurredAt,
        type: i % 9 ? 'task.completed' : 'task.failed',
      })
    }
    return simulation.score('agent', start).score
  })
  expect(new Set(scores).size).toBe(1)
})
