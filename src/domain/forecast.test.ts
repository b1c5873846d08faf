import { describe, expect, test } from 'vitest'
import { betaOf, cdf, lnGamma } from './beta.ts'
import type { EventType } from './event.ts'
import { type CountedEvent, foldEvents } from './evidence.ts'
import { newEvidence } from './evidence-state.ts'
import { forecastFrom } from './forecast.ts'
import { MODEL } from './model.ts'
import { chanceOf } from './testing/chance.ts'

const START = 20_000 * 86_400_000

function event(type: EventType, rest: Partial<CountedEvent> = {}): CountedEvent {
  return { type, data: {}, reporter: 'platform', self: false, at: START, ...rest }
}

function times(count: number, one: CountedEvent): CountedEvent[] {
  return Array.from({ length: count }, () => one)
}

const forecastOf = (...events: CountedEvent[]) =>
  forecastFrom(MODEL, foldEvents(MODEL, newEvidence(MODEL, START), events))

const done = event('task.completed')
const failed = event('task.failed')

describe('the forecast', () => {
  test('without reports is null, not bad', () => {
    expect(forecastOf()).toEqual({ task: null, payment: null })
    expect(forecastOf(done).payment).toBeNull()
    expect(forecastOf(event('payment.late')).task).toBeNull()
    expect(forecastOf(event('credential.issued'))).toEqual({ task: null, payment: null })
  })

  test('counts each report once, beside a prior of half a good and half a bad one', () => {
    expect(forecastOf(done).task?.probability).toBe(0.75)
    expect(
      forecastOf(event('payment.disputed', { data: { amount: 1e6 } })).payment?.probability,
    ).toBe(0.25)
  })

  test('ignores the agent’s reports about itself', () => {
    const own = times(2000, event('task.completed', { self: true, reporter: 'me' }))
    expect(forecastOf(...own)).toEqual({ task: null, payment: null })
    expect(forecastOf(failed, ...own)).toEqual(forecastOf(failed))
  })

  test('counts a report by the share that counts after reviews', () => {
    expect(forecastOf(event('task.failed', { share: 0 }))).toEqual({ task: null, payment: null })
    const half = forecastOf(event('task.failed', { share: 0.5 })).task?.probability
    expect(half).toBeCloseTo(1 / 3, 3)
  })

  test('is about tasks if there are any, otherwise about uptime and errors', () => {
    const up = event('uptime.report', { data: { uptimePercentage: 100 } })
    expect(forecastOf(up, up).task?.probability).toBeGreaterThan(0.75)
    expect(forecastOf(...times(50, up), failed)).toEqual(forecastOf(failed))
  })

  test('counts an uptime without a good share as a bad report', () => {
    const down = event('uptime.report', { data: { uptimePercentage: 60 } })
    expect(forecastOf(down).task?.probability).toBe(0.25)
  })

  test('ignores platforms that are not established, once one with a vote of its own has reported', () => {
    const unknown = times(100, event('task.failed', { reporter: 'unknown', reporterWeight: 0.1 }))
    expect(forecastOf(done, ...unknown)).toEqual(forecastOf(done))
    expect(forecastOf(...unknown).task?.probability).toBeLessThan(0.1)
  })

  test('narrows around the rate as reports arrive', () => {
    const width = (n: number) => {
      const mixed = times(n, failed).flatMap((bad) => [bad, done, done, done])
      const { task } = forecastOf(...mixed)
      expect(task?.low).toBeLessThan(0.75)
      expect(task?.high).toBeGreaterThan(0.75)
      return (task?.high ?? 0) - (task?.low ?? 1)
    }
    expect(width(10)).toBeLessThan(width(2))
    expect(width(100)).toBeLessThan(width(10))
    expect(width(100)).toBeLessThan(0.1)
  })

  test('follows a changed agent within a few dozen reports', () => {
    const { task } = forecastOf(...times(500, done), ...times(30, failed))
    expect(task?.probability).toBeLessThan(0.5)
    const back = forecastOf(...times(500, failed), ...times(60, done)).task
    expect(back?.probability).toBeGreaterThan(0.8)
  })

  test('is never certain', () => {
    const { task } = forecastOf(...times(100_000, done))
    expect(task).toEqual({ probability: 0.9999, low: 0.9999, high: 0.9999 })
  })

  test('has the true rate in its interval about nine times in ten', () => {
    const chance = chanceOf(1)
    const agents = 400
    let inside = 0
    for (let agent = 0; agent < agents; agent++) {
      const rate = chance()
      const events = Array.from({ length: 60 }, () => (chance() < rate ? done : failed))
      const { task } = forecastOf(...events)
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

  test('has the known values', () => {
    expect(cdf(betaOf(2, 3), 0.5)).toBeCloseTo(0.6875, 12)
    expect(cdf(betaOf(1, 1), 0.3)).toBeCloseTo(0.3, 12)
    expect(cdf(betaOf(0.5, 0.5), 0.1)).toBeCloseTo((2 / Math.PI) * Math.asin(Math.sqrt(0.1)), 12)
    expect(cdf(betaOf(30, 30), 0.5)).toBeCloseTo(0.5, 12)
    expect(cdf(betaOf(1e6, 1e6), 0.5)).toBeCloseTo(0.5, 7)
    expect([cdf(betaOf(2, 3), 0), cdf(betaOf(2, 3), 1)]).toEqual([0, 1])
  })
})
