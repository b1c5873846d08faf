import { describe, expect, test } from 'vitest'
import type { EventType } from './event.ts'
import { type CountedEvent, foldEvents } from './evidence.ts'
import { decodeEvidence, encodeEvidence } from './evidence-codec.ts'
import { newEvidence } from './evidence-state.ts'
import { MODEL } from './model.ts'
import { partyOf } from './parties.ts'
import { scoreAt } from './score.ts'
import { DAY_MS, HOUR_MS } from './time.ts'

const START = 20_000 * DAY_MS
const NEW = newEvidence(MODEL, START)

/** Reports of one platform about one customer after the other. */
function reports(
  type: EventType,
  customers: readonly string[],
  rest: Partial<CountedEvent> = {},
): CountedEvent[] {
  return customers.map((counterparty) => {
    return { type, data: { counterparty }, reporter: 'p', self: false, at: START, ...rest }
  })
}

const names = (count: number, prefix = 'customer') =>
  Array.from({ length: count }, (_, i) => `${prefix}-${i}`)
const again = (count: number, name = 'customer') => Array.from({ length: count }, () => name)

const sumsOf = (...events: readonly CountedEvent[]) => {
  const [source] = foldEvents(MODEL, NEW, events).sources
  return (
    source ?? { reliabilityGood: 0, reliabilityBad: 0, financialGood: 0, financialBad: 0, alarm: 0 }
  )
}

describe('a counterparty that a platform names', () => {
  test('counts for two good observations or a bad one, however many tasks and payments name it', () => {
    const { reliabilityGood, financialGood } = sumsOf(
      ...reports('task.completed', again(500)),
      ...reports('payment.completed', again(500)),
    )
    expect(reliabilityGood + financialGood).toBeCloseTo(2, 5)
    expect(sumsOf(...reports('task.failed', again(500))).reliabilityBad).toBeCloseTo(1, 5)
  })

  test('counts by its latest report: a complaint replaces its praise, and praise its complaint', () => {
    const praised = reports('task.completed', again(20))
    const turned = sumsOf(...praised, ...reports('task.timeout', again(8)))
    expect(turned.reliabilityBad).toBeGreaterThan(0.9)
    expect(turned.reliabilityGood).toBeLessThan(0.1)
    const reconciled = sumsOf(
      ...reports('task.timeout', again(20)),
      ...reports('task.completed', again(8)),
    )
    expect(reconciled.reliabilityGood).toBeGreaterThan(1.8)
    expect(reconciled.reliabilityBad).toBeLessThan(0.1)
  })

  test('counts in full with its first complaint, and less with later ones', () => {
    const good = reports('task.completed', names(40))
    // Later than their series, in which good reports offset bad ones.
    const alarmAfter = (...bad: readonly CountedEvent[]) =>
      sumsOf(...good, ...bad.map((one) => ({ ...one, at: START + 2 * HOUR_MS }))).alarm
    const [bad] = reports('task.timeout', ['customer-1'])
    const unnamed: CountedEvent = {
      type: 'task.timeout',
      data: {},
      reporter: 'p',
      self: false,
      at: START,
    }
    const first = alarmAfter(...(bad ? [bad] : []))
    expect(first / alarmAfter(unnamed)).toBeCloseTo(1, 1)
    expect(alarmAfter(...reports('task.timeout', again(100, 'customer-1')))).toBeLessThan(
      2.5 * first,
    )
  })

  test('does not affect earlier reports without a counterparty', () => {
    const unnamed = Array.from({ length: 7 }, (): CountedEvent => {
      return { type: 'task.completed', data: {}, reporter: 'p', self: false, at: START }
    })
    const named = reports('task.completed', again(9))
    expect(sumsOf(...unnamed, ...named).reliabilityGood).toBeCloseTo(9, 5)
  })

  test.each([
    ['good', 'task.completed'],
    ['bad', 'task.failed'],
  ] as const)('leaves the rate of the agent as it is if only %s reports name one', (_, named) => {
    const year = Array.from({ length: 2_000 }, (_, i): CountedEvent => {
      const type = i % 10 === 0 ? 'task.failed' : 'task.completed'
      const data = type === named ? { counterparty: `customer-${i % 83}` } : {}
      return { type, data, reporter: 'p', self: false, at: START + i * HOUR_MS }
    })
    const { reliabilityGood, reliabilityBad } = sumsOf(...year)
    const share = reliabilityGood / (reliabilityGood + reliabilityBad / 0.9)
    expect(share).toBeGreaterThan(0.87)
    expect(share).toBeLessThan(0.95)
  })

  test('is counted separately for platforms with a vote, but not for the crowd or the agent itself', () => {
    const named = again(3)
    const crowd = foldEvents(MODEL, NEW, reports('task.completed', named, { reporterWeight: 0.1 }))
    const own = foldEvents(MODEL, NEW, reports('task.completed', named, { self: true }))
    expect(crowd.crowd.reliabilityGood).toBe(3)
    expect(own.self.reliabilityGood).toBeCloseTo(0.3, 6)
  })
})

describe('bad reports without a counterparty, of a platform that names customers,', () => {
  const unnamed = (count: number) => reports('task.failed', again(count), { data: {} })

  test('count each where they are more than the good ones with a customer', () => {
    const { reliabilityBad } = sumsOf(...reports('task.completed', names(1)), ...unnamed(40))
    expect(reliabilityBad).toBeGreaterThan(30)
  })

  test('count no more than those of a customer who ordered as often', () => {
    const { reliabilityBad } = sumsOf(...reports('task.completed', again(40)), ...unnamed(40))
    expect(reliabilityBad).toBeLessThanOrEqual(1)
  })
})

test('an agent that fails at all work after one order with a name is Untrusted', () => {
  const hourly = (type: EventType, from: number, count: number) =>
    Array.from({ length: count }, (_, i) =>
      ['p0', 'p1', 'p2'].map((reporter): CountedEvent => {
        return { type, data: {}, reporter, self: false, at: START + (from + i) * 8 * HOUR_MS }
      }),
    ).flat()
  const named = ['p0', 'p1', 'p2'].flatMap((reporter) =>
    reports('task.completed', ['customer'], { reporter, at: START + 360 * 8 * HOUR_MS }),
  )
  const evidence = foldEvents(MODEL, NEW, [
    ...hourly('task.completed', 0, 360),
    ...named,
    ...hourly('task.failed', 361, 20),
  ])
  expect(scoreAt(MODEL, evidence, evidence.at).score).toBeLessThan(300)
})

describe('agents whose platforms name counterparties', () => {
  const days = (count: number, namesOf: (day: number) => readonly string[]) =>
    foldEvents(
      MODEL,
      NEW,
      Array.from({ length: count }, (_, day) =>
        ['p0', 'p1', 'p2'].flatMap((reporter) =>
          reports('task.completed', namesOf(day), { reporter, at: START + day * DAY_MS }),
        ),
      ).flat(),
    )
  const scoreOf = (evidence: ReturnType<typeof days>) => scoreAt(MODEL, evidence, evidence.at).score

  test('stay Poor with one counterparty, and become Good with ten', () => {
    expect(scoreOf(days(120, () => again(20)))).toBeLessThan(500)
    expect(
      scoreOf(days(60, (day) => [`customer-${day % 10}`, `customer-${(day + 5) % 10}`])),
    ).toBeGreaterThan(650)
  })

  test('renew a counterparty’s fading report with its next one', () => {
    const [source] = days(800, () => ['customer']).sources
    expect(source?.reliabilityGood).toBeGreaterThan(1.99)
    expect(source?.reliabilityGood).toBeLessThanOrEqual(2)
  })

  test('have bounded evidence that is stored and read exactly, however many counterparties there are', () => {
    const events = Array.from({ length: 24 }, (_, i) => [
      ...reports('task.completed', names(500), { reporter: `p${i}` }),
      ...reports('payment.disputed', names(500, 'other'), { reporter: `p${i}` }),
    ]).flat()
    const evidence = foldEvents(MODEL, NEW, events)
    const bytes = encodeEvidence(evidence)
    expect(bytes.length).toBeLessThan(32_000)
    expect(decodeEvidence(MODEL, bytes)).toStrictEqual(evidence)
  })
})

test('names fall evenly into the groups', () => {
  const counts = new Map<number, number>()
  for (const name of names(6400)) {
    const party = partyOf(MODEL, name)
    counts.set(party, (counts.get(party) ?? 0) + 1)
  }
  expect(counts.size).toBe(MODEL.partiesMax)
  expect(Math.max(...counts.values())).toBeLessThan(160)
})
