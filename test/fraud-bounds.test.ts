import { expect, test } from 'vitest'
import { type Attack, attacks } from '../lab/eval/attacks.ts'
import { createTown } from '../lab/eval/in-memory-ingest.ts'
import type { RuleSettings } from '../src/fraud/rules.ts'
import { settingsBy } from './support/settings.ts'

/** The attacks that eval:fraud measures, judged and scored as the service does it. */
const [named, evasions] = [false, true].map((isEvasion) =>
  attacks().filter(({ name, events }) => {
    const isOne = name.startsWith('A11 ') && events.length >= 200
    return isOne === isEvasion && events.length <= 5_000
  }),
)

/** At least nine events in ten are held, or the attack stays within its bound. */
function outcome({ before = [], events, isHarmless }: Attack, settings: RuleSettings = new Map()) {
  const [without, town] = [createTown(settings), createTown(settings)]
  for (const told of before) {
    for (const one of [without, town]) {
      one.report(told)
    }
  }
  const held = events.filter((told) => town.report(told).isQuarantined).length
  return isHarmless({ before: without, after: town }) ? 1 : held / events.length
}

test.each((named ?? []).map((attack) => [attack.name, attack.bound, attack] as const))(
  '%s: held, or %s',
  (_name, _bound, attack) => {
    expect(outcome(attack)).toBeGreaterThanOrEqual(0.9)
  },
)

test('of a sample of evasions, each is mostly held or harmless', () => {
  const sample = (evasions ?? []).filter((_, i) => i % 17 === 0)
  for (const attack of sample) {
    expect(outcome(attack), attack.name).toBeGreaterThanOrEqual(0.85)
  }
})

test.each([0.9, 1.1])('with thresholds %d times their own the worst still holds', (factor) => {
  const slander = (named ?? []).filter(({ name }) => name.startsWith('A6 one platform of four'))
  expect(slander).toHaveLength(1)
  for (const attack of slander) {
    expect(outcome(attack, settingsBy(factor))).toBeGreaterThan(0.95)
  }
})

test('A3: a month of a hundred good self-reports an hour stays below Good', () => {
  const town = createTown(new Map())
  const start = Date.UTC(2026, 0, 1)
  const step = (30 * 86_400_000) / 7_200
  for (let i = 0; i < 7_200; i++) {
    town.report({ at: start + i * step, by: null })
  }
  expect(town.score('agent', start + 30 * 86_400_000).score).toBeLessThan(650)
})

test('A8: what happened when is told in any order without a point to gain', () => {
  const start = Date.UTC(2026, 0, 30)
  const scores = [1, 7, 13, 29].map((stride) => {
    const town = createTown(new Map())
    for (let i = 0; i < 60; i++) {
      const occurredAt = start - ((i * stride) % 60) * 3_600_000
      town.report({ at: start + i, occurredAt, type: i % 9 ? 'task.completed' : 'task.failed' })
    }
    return town.score('agent', start).score
  })
  expect(new Set(scores).size).toBe(1)
})
