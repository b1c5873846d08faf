import { describe, expect, test } from 'vitest'
import { type Attack, attacks } from '../lab/eval/fraud/attacks.ts'
import { honestCases } from '../lab/eval/fraud/honest-cases.ts'
import { outcomeOf, safeShare } from '../lab/eval/fraud/outcome.ts'
import { GOOD } from '../lab/eval/tiers.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../src/domain/time.ts'
import type { RuleSettings } from '../src/fraud/rules.ts'
import { createSimulation, type SimulatedEvent } from '../src/ingest/testing/simulation.ts'
import { hundredths, NOON, times } from '../src/ingest/testing/streams.ts'
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

test.each([97, 90])(
  'an agent with one price keeps its rate: %d %% good, 60 sales a day',
  (percent) => {
    const [one, other] = [19.99, 20].map((amount) => {
      const simulation = createSimulation()
      const next = hundredths(11)
      simulation.reportAll(
        times(60 * 60, DAY_MS / 60, (at, i) => ({
          at,
          by: `p${i % 3}`,
          type: next() < percent ? 'payment.completed' : 'payment.failed',
          data: { amount, currency: 'USD' },
        })),
      )
      return simulation.score('agent', NOON + 60 * DAY_MS).score
    })
    expect(Math.abs((one ?? 0) - (other ?? 0))).toBeLessThanOrEqual(30)
  },
)

describe.each([90, 80, 50])('an agent with one price, of %d %% good', (percent) => {
  const PER_DAY = 50
  const bad = (PER_DAY * (100 - percent)) / 100
  const sale = (at: number, isGood: boolean): SimulatedEvent => ({
    at,
    type: isGood ? 'payment.completed' : 'payment.disputed',
    data: { amount: 12.34, currency: 'USD' },
  })
  const midnight = NOON - DAY_MS / 2
  /** After thirty days, on each of which the agent reports on itself so many times at the end. */
  function scoreOf(isGood: (i: number) => boolean, ownReports = 0): number {
    const simulation = createSimulation()
    for (let day = 0; day < 30; day++) {
      const begin = midnight + day * DAY_MS
      const sales = times(PER_DAY, 20 * MINUTE_MS, (at, i) => sale(at, isGood(i)), begin)
      const own = times(
        ownReports,
        MINUTE_MS,
        (at, i) => ({ ...sale(at, true), by: null, data: { amount: 20.01 + i, currency: 'USD' } }),
        begin + 20 * HOUR_MS,
      )
      simulation.reportAll([...sales, ...own])
    }
    return simulation.score('agent', midnight + 30 * DAY_MS).score
  }
  const next = hundredths(13)
  const shuffled = scoreOf(() => next() < percent)

  test('has no better score where the bad sales of each day come last', () => {
    expect(scoreOf((i) => i < PER_DAY - bad) - shuffled).toBeLessThanOrEqual(30)
  })

  test('nor where it reports other figures about itself after them', () => {
    expect(scoreOf((i) => i < PER_DAY - bad, 8) - shuffled).toBeLessThanOrEqual(30)
  })
})

/** On each of forty days 100 sales at many prices and `others` at $49.99, and from the thirtieth on as many frauds at it. */
function scoreWithFrauds(others: number, areFirst: boolean, isAtOnePrice: boolean): number {
  const simulation = createSimulation()
  const sales = 100 + others
  for (let day = 0; day < 40; day++) {
    const frauds = day < 30 ? 0 : others
    const count = sales + frauds
    const report = (at: number, place: number): SimulatedEvent => {
      // In an order that is mixed: 101 has no factor in common with the counts.
      const mixed = areFirst ? ((place - frauds) * 101) % sales : (place * 101) % count
      const isBad = areFirst ? place < frauds : mixed >= sales
      const isOther = isBad || mixed >= 100
      const amount = isAtOnePrice && isOther ? 49.99 : 1000.01 + place + day / 100
      const type = isBad ? 'payment.disputed' : 'payment.completed'
      return { at, type, data: { amount, currency: 'USD' } }
    }
    simulation.reportAll(times(count, DAY_MS / count, report, NOON - DAY_MS / 2 + day * DAY_MS))
  }
  return simulation.score('agent', NOON + 39.4 * DAY_MS).score
}

test.each([
  [300, 'in between', false],
  [60, 'in the morning', true],
])(
  '%d frauds at one price of many, %s, are not hidden by what else is sold',
  (others, _, first) => {
    const [one, many] = [true, false].map((isOne) => scoreWithFrauds(others, first, isOne))
    expect((one ?? 0) - (many ?? 0)).toBeLessThanOrEqual(30)
  },
)

test.each([
  ['neither a time nor a name', false, 60],
  ['an externalId', true, 20],
])(
  'the betrayal of an agent with one price, by sales with %s, is seen within a day',
  (_, isNamed, most) => {
    const simulation = createSimulation()
    const next = hundredths(12)
    const sale = (at: number, i: number, isGood: boolean): SimulatedEvent => ({
      at,
      by: `p${i % 3}`,
      type: isGood ? 'payment.completed' : 'payment.disputed',
      data: { amount: 49.99, currency: 'USD' },
      ...(isNamed ? { externalId: `sale-${at}` } : {}),
    })
    const step = DAY_MS / 60
    const midnight = NOON - DAY_MS / 2
    simulation.reportAll(
      times(90 * 60 + 30, step, (at, i) => sale(at, i, next() < 97), midnight - 90 * DAY_MS),
    )
    expect(simulation.score('agent', NOON).score).toBeGreaterThanOrEqual(GOOD)
    const bad = times(60, step, (at, i) => sale(at, i, false)).findIndex((event) => {
      simulation.report(event)
      return simulation.score('agent', event.at).score < GOOD
    })
    expect(bad).toBeGreaterThanOrEqual(0)
    expect(bad + 1).toBeLessThanOrEqual(most)
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
