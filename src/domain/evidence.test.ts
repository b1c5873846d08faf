import { expect, test } from 'vitest'
import type { EventData, EventType } from './event.ts'
import {
  addEvent,
  type CountedEvent,
  decodeEvidence,
  encodeEvidence,
  foldEvents,
  newEvidence,
} from './evidence.ts'
import { MODEL } from './model.ts'

const DAY_MS = 86_400_000
const START = 20_000 * DAY_MS

function event(type: EventType, rest: Partial<CountedEvent> = {}, data: EventData = {}) {
  return { type, data, reporter: 'platform', self: false, at: START, ...rest }
}

test('twenty-four platforms are told apart, all later ones are pooled', () => {
  const crowd = Array.from({ length: 100 }, (_, i) =>
    event('task.completed', { reporter: `p${i}` }),
  )
  const { reliability } = foldEvents(MODEL, newEvidence(START), crowd)
  expect(reliability.sources).toHaveLength(25)
  expect(reliability.sources[0]?.reporter).toBe('p0')
  expect(reliability.sources[24]).toMatchObject({ reporter: '', good: 76 })
  expect(reliability.eventCount).toBe(100)
})

test('the text of the evidence stays small however much happens', () => {
  let evidence = newEvidence(START)
  const text = () => encodeEvidence(evidence).length
  const crowd = (day: number) =>
    Array.from({ length: 2000 }, (_, i) =>
      event(i % 3 ? 'task.completed' : 'payment.late', {
        reporter: `platform-${i % 60}`,
        at: START + day * DAY_MS,
      }),
    )
  for (let day = 0; day < 20; day++) {
    evidence = foldEvents(MODEL, evidence, crowd(day))
  }
  expect(text()).toBeLessThan(5000)
})

test('evidence in another form is refused', () => {
  expect(() => decodeEvidence('[99]')).toThrow('form 99')
})

test('an event dated before the last counts at the time of the last', () => {
  const first = addEvent(
    MODEL,
    newEvidence(START),
    event('task.completed', { at: START + 5 * DAY_MS }),
  )
  const early = addEvent(MODEL, first, event('task.completed', { at: START }))
  const same = addEvent(MODEL, first, event('task.completed', { at: START + 5 * DAY_MS }))
  expect(early).toStrictEqual(same)
})

test('evidence fades by half in a year of whole days', () => {
  const good = foldEvents(MODEL, newEvidence(START), [
    event('task.completed'),
    event('payment.failed'),
    event('credential.issued'),
  ])
  const later = (days: number) =>
    addEvent(
      MODEL,
      good,
      event('uptime.report', { at: START + days * DAY_MS }, { uptimePercentage: 0 }),
    )
  expect(later(0.999).reliability.sources[0]?.good).toBe(1)
  expect(later(365).reliability.sources[0]?.good).toBe(0.5)
  expect(later(365).financial.sources[0]?.bad).toBe(1)
  expect(later(365).identity.verified).toBe(0.5)
})

test('a platform fills at most half of what a dimension remembers', () => {
  const flood = Array.from({ length: 1000 }, () => event('task.completed'))
  const next = event('task.failed', { at: START + DAY_MS })
  const { reliability } = foldEvents(MODEL, newEvidence(START), [...flood, next])
  expect(reliability.sources[0]?.good).toBeCloseTo(80, 0)
})

test('new evidence of several platforms displaces the old', () => {
  let evidence = newEvidence(START)
  const day = (at: number, type: EventType, reporters: string[]) =>
    reporters.flatMap((reporter) =>
      Array.from({ length: 10 }, () => event(type, { reporter, at: START + at * DAY_MS })),
    )
  for (let at = 0; at < 20; at++) {
    evidence = foldEvents(MODEL, evidence, day(at, 'task.failed', ['a', 'b']))
  }
  for (let at = 20; at < 120; at++) {
    evidence = foldEvents(MODEL, evidence, day(at, 'task.completed', ['c', 'd', 'e']))
  }
  const bad = evidence.reliability.sources.reduce((sum, source) => sum + source.bad, 0)
  expect(bad).toBeLessThan(1)
})

test('good payments below half a unit give at most half a unit a day', () => {
  const cents = Array.from({ length: 500 }, (_, i) =>
    event('payment.completed', { at: START + (i < 400 ? 0 : DAY_MS) }, { amount: 1 }),
  )
  const { financial } = foldEvents(MODEL, newEvidence(START), cents)
  expect(financial.sources[0]?.good).toBeLessThanOrEqual(1)
  expect(financial.sources[0]?.good).toBeGreaterThan(0.99)
})

test('self-reports stand apart from platforms and leave the usual amount alone', () => {
  const own = foldEvents(MODEL, newEvidence(START), [
    event('payment.completed', { self: true, reporter: 'me' }, { amount: 1e6 }),
    event('task.failed', { self: true, reporter: 'me' }),
  ])
  expect(own.selfReported).toBe(2)
  expect(own.financial.sources).toEqual([])
  expect(own.payments.usualWeight).toBe(0)
  expect(own.reliability.self.bad).toBe(1)
  expect(own.reliability.recentBad).toBeCloseTo(0.1, 2)
})
