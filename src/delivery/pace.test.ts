import { describe, expect, it } from 'vitest'
import type { Attempt } from './attempt.ts'
import { createPaces, NEW_PACE, type Pace, paceAfter } from './pace.ts'
import { unanswered } from './post.ts'

const answered = (outcome: Attempt['outcome'], status: number, durationMs: number): Attempt => ({
  ...unanswered(''),
  outcome,
  status,
  durationMs,
})
const QUICK = answered('delivered', 200, 20)
const SLOW = answered('delivered', 200, 3000)
const ERROR = answered('failed', 500, 20)
const SILENT: Attempt = { ...unanswered('timed out'), durationMs: 15_000 }
const REFUSED: Attempt = { ...unanswered('connection refused'), durationMs: 1 }

const paced = (attempts: readonly Attempt[], from: Pace = NEW_PACE) =>
  attempts.reduce((pace, attempt) => paceAfter(pace, attempt, 10), from)

describe('the pace of a receiver', () => {
  it('starts at two and grows by one with each arrival, to its limit', () => {
    expect(NEW_PACE).toEqual({ limit: 2, isQuick: false })
    expect(paced([QUICK])).toEqual({ limit: 3, isQuick: true })
    expect(paced(Array(50).fill(QUICK))).toEqual({ limit: 10, isQuick: true })
  })

  it('halves with each silence, to one', () => {
    const full = { limit: 10, isQuick: true }
    expect(paced([SILENT], full)).toEqual({ limit: 5, isQuick: false })
    expect(paced(Array(9).fill(SILENT), full)).toEqual({ limit: 1, isQuick: false })
  })

  it('grows for a slow receiver too, which stays slow', () => {
    expect(paced([SLOW, SLOW])).toEqual({ limit: 4, isQuick: false })
  })

  it('neither grows nor falls by quick failures', () => {
    expect(paced([ERROR, REFUSED])).toEqual(NEW_PACE)
    expect(paced([QUICK, ERROR, REFUSED])).toEqual({ limit: 3, isQuick: true })
  })
})

describe('the paces kept', () => {
  it('are new for who is unknown, and name the quick', () => {
    const paces = createPaces()
    paces.learn('a', paced([QUICK]))
    paces.learn('b', paced([SILENT]))
    expect(paces.of('c')).toEqual(NEW_PACE)
    expect(paces.of('a').limit).toBe(3)
    expect(paces.quick()).toEqual(['a'])
  })

  it('forget who was not heard of longest', () => {
    const paces = createPaces()
    for (let i = 0; i <= 10_000; i += 1) {
      paces.learn(`s${i}`, paced([QUICK]))
      paces.learn('often', paced([QUICK]))
    }
    expect(paces.quick()).toHaveLength(10_000)
    expect(paces.of('s0')).toEqual(NEW_PACE)
    expect(paces.of('often').limit).toBe(3)
  })
})
