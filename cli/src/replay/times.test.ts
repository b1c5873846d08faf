import { array, assert, double, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../../src/domain/time.ts'
import type { AgentPlan } from './plan.ts'
import { occurredAt } from './times.ts'

const ANCHOR = Date.parse('2026-06-15T11:00:00.000Z')

function planOver(from: number, to: number): AgentPlan {
  return { name: 'a', reported: 2, reportedGood: 2, from, to, truth: undefined }
}

describe('the time of a replayed event', () => {
  test('keeps its distance to the last event, at the anchor, where the span fits', () => {
    const plan = planOver(1000, 8200)
    expect(occurredAt(plan, 8200, ANCHOR)).toBe('2026-06-15T11:00:00.000Z')
    expect(occurredAt(plan, 1000, ANCHOR)).toBe('2026-06-15T09:00:00.000Z')
  })

  test('is scaled into 29 days where the stream spans years', () => {
    const year = 365 * 86_400
    const plan = planOver(0, 5 * year)
    expect(Date.parse(occurredAt(plan, 0, ANCHOR))).toBe(ANCHOR - 29 * DAY_MS)
    expect(Date.parse(occurredAt(plan, 2.5 * year, ANCHOR))).toBe(ANCHOR - 14.5 * DAY_MS)
  })

  test('keeps the order and stays within the window, for any clock of the stream', () => {
    const times = array(double({ min: -1e10, max: 1e10, noNaN: true }), { minLength: 2 })
    assert(
      property(times, (ts) => {
        const sorted = [...ts].sort((a, b) => a - b)
        const plan = planOver(Math.min(...ts), Math.max(...ts))
        const mapped = sorted.map((t) => Date.parse(occurredAt(plan, t, ANCHOR)))
        expect(mapped).toEqual([...mapped].sort((a, b) => a - b))
        expect(mapped[0]).toBeGreaterThanOrEqual(ANCHOR - 29 * DAY_MS)
        expect(mapped.at(-1)).toBe(ANCHOR)
      }),
    )
  })
})
