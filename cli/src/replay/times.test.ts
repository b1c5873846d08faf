import { array, assert, double, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../src/domain/time.ts'
import { occurredAt } from './times.ts'

const ANCHOR = Date.parse('2026-06-15T11:00:00.000Z')

describe('the time of a replayed event', () => {
  test('keeps its distance to the last event, at the anchor, where the span fits', () => {
    const period = { from: 1000, to: 8200 }
    expect(occurredAt(period, 8200, ANCHOR)).toBe(ANCHOR)
    expect(occurredAt(period, 1000, ANCHOR)).toBe(ANCHOR - 2 * HOUR_MS)
  })

  test('is scaled into 29 days where the stream spans years', () => {
    const year = 365 * 86_400
    const period = { from: 0, to: 5 * year }
    expect(occurredAt(period, 0, ANCHOR)).toBe(ANCHOR - 29 * DAY_MS)
    expect(occurredAt(period, 2.5 * year, ANCHOR)).toBe(ANCHOR - 14.5 * DAY_MS)
  })

  test('keeps the order and stays within the window, for any clock of the stream', () => {
    const times = array(double({ min: -1e10, max: 1e10, noNaN: true }), { minLength: 2 })
    assert(
      property(times, (ts) => {
        const sorted = [...ts].sort((a, b) => a - b)
        const period = { from: Math.min(...ts), to: Math.max(...ts) }
        const mapped = sorted.map((t) => occurredAt(period, t, ANCHOR))
        expect(mapped).toEqual([...mapped].sort((a, b) => a - b))
        expect(mapped[0]).toBeGreaterThanOrEqual(ANCHOR - 29 * DAY_MS)
        expect(mapped.at(-1)).toBe(ANCHOR)
      }),
    )
  })
})
