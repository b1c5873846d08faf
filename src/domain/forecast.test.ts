import { describe, expect, test } from 'vitest'
import { betaOf, cdf, lnGamma } from './beta.ts'
import type { EventType } from './event.ts'
import { type CountedEvent, foldEvents, newEvidence } from './evidence.ts'
import { forecastAt } from './forecast.ts'
import { MODEL } from './model.ts'
import { chanceOf } from './testing/chance.ts'

const START = 20_000 * 86_400_000

function event(type: EventType, rest: Partial<CountedEvent> = {}): CountedEvent {
  return { type, data: {}, reporter: 'platform', self: false, at: START, ...rest }
}

function times(count: number, one: CountedEvent): CountedEvent[] {
  return Array.from({ length: count }, () => one)
}

const told = (...events: CountedEvent[]) =>
  forecastAt(MODEL, foldEvents(MODEL, newEvidence(MODEL, START), events), START)

const done = event('task.completed')
const failed = event('task.failed')

describe('the forecast', () => {
  test('of what nobody has reported is null, not bad', () => {
    expect(told()).toEqual({ task: null, payment: null })
    expect(told(done).payment).toBeNull()
    expect(told(event('payment.late')).task).toBeNull()
    expect(told(event('credential.issued'))).toEqual({ task: null, payment: null })
  })

  test('counts each report once, with half a good and half a bad one that nobody made', () => {
    expect(told(done).task?.probability).toBe(0.75)
    expect(told(event('payment.disputed', { data: { amount: 1e6 } })).payment?.probability).toBe(
      0.25,
    )
  })

  test('does not listen to the agent itself', () => {
    const own = times(2000, event('task.completed', { self: true, reporter: 'me' }))
    expect(told(...own)).toEqual({ task: null, payment: null })
    expect(told(failed, ...own)).toEqual(told(failed))
  })

  test('counts a report by the share of it that counts after reviews', () => {
    expect(told(event('task.failed', { share: 0 }))).toEqual({ task: null, payment: null })
    const half = told(event('task.failed', { share: 0.5 })).task?.probability
    expect(half).toBeCloseTo(1 / 3, 3)
  })

  test('is of tasks where there are any, else of uptime and errors', () => {
    const up = event('uptime.report', { data: { uptimePercentage: 100 } })
    expect(told(up, up).task?.probability).toBeGreaterThan(0.75)
    expect(told(...times(50, up), failed)).toEqual(told(failed))
  })

  test('takes an uptime at which nothing good is said for a bad report', () => {
    const down = event('uptime.report', { data: { uptimePercentage: 60 } })
    expect(told(down).task?.probability).toBe(0.25)
  })

  test('narrows as reports come in, around the rate', () => {
    const width = (n: number) => {
      const mixed = times(n, failed).flatMap((bad) => [bad, done, done, done])
      const { task } = told(...mixed)
      expect(task?.low).toBeLessThan(0.75)
      expect(task?.high).toBeGreaterThan(0.75)
      return (task?.high ?? 0) - (task?.low ?? 1)
    }
    expect(width(10)).toBeLessThan(width(2))
    expect(width(100)).toBeLessThan(width(10))
    expect(width(100)).toBeLessThan(0.1)
  })

  test('follows an agent that has changed within a few dozen reports', () => {
    const { task } = told(...times(500, done), ...times(30, failed))
    expect(task?.probability).toBeLessThan(0.5)
    const back = told(...times(500, failed), ...times(60, done)).task
    expect(back?.probability).toBeGreaterThan(0.8)
  })

  test('is never certain', () => {
    const { task } = told(...times(100_000, done))
    expect(task).toEqual({ probability: 0.9999, low: 0.9999, high: 0.9999 })
  })

  test('does not change by waiting', () => {
    const evidence = foldEvents(MODEL, newEvidence(MODEL, START), [done, failed, done])
    expect(forecastAt(MODEL, evidence, START + 1e12)).toEqual(forecastAt(MODEL, evidence, START))
  })

  test('has the true rate in its interval about nine times in ten', () => {
    const chance = chanceOf(1)
    const agents = 400
    let inside = 0
    for (let agent = 0; agent < agents; agent++) {
      const rate = chance()
      const events = Array.from({ length: 60 }, () => (chance() < rate ? done : failed))
      const { task } = told(...events)
      if (task && task.low <= rate && rate <= task.high) {
        inside += 1
      }
    }
    expect(inside / agents).toBeGreaterThan(0.87)
    expect(inside / agents).toBeLessThan(0.97)
  })
})

describe('the Beta distribution', () => {
  test('has the gamma function of whole and half numbers', () => {
    expect(lnGamma(1)).toBeCloseTo(0, 13)
    expect(lnGamma(11)).toBeCloseTo(Math.log(3_628_800), 12)
    expect(lnGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 12)
    expect(lnGamma(1e6)).toBeCloseTo(12_815_504.569147611, 6)
  })

  test('is what it is known to be', () => {
    expect(cdf(betaOf(2, 3), 0.5)).toBeCloseTo(0.6875, 12)
    expect(cdf(betaOf(1, 1), 0.3)).toBeCloseTo(0.3, 12)
    expect(cdf(betaOf(0.5, 0.5), 0.1)).toBeCloseTo((2 / Math.PI) * Math.asin(Math.sqrt(0.1)), 12)
    expect(cdf(betaOf(30, 30), 0.5)).toBeCloseTo(0.5, 12)
    expect(cdf(betaOf(1e6, 1e6), 0.5)).toBeCloseTo(0.5, 7)
    expect([cdf(betaOf(2, 3), 0), cdf(betaOf(2, 3), 1)]).toEqual([0, 1])
  })
})
