import { describe, expect, it as test } from 'vitest'
import type { Attempt } from './attempt.ts'
import {
  type ConcurrencyWindow,
  createConcurrencyWindows,
  NEW_WINDOW,
  windowAfter,
} from './concurrency-window.ts'
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

const paced = (attempts: readonly Attempt[], from: ConcurrencyWindow = NEW_WINDOW) =>
  attempts.reduce((pace, attempt) => windowAfter(pace, attempt, 10), from)

describe('the pace of a receiver', () => {
  test('starts at two and grows by one with each arrival, to its limit', () => {
    expect(NEW_WINDOW).toEqual({ limit: 2, isQuick: false })
    expect(paced([QUICK])).toEqual({ limit: 3, isQuick: true })
    expect(paced(Array(50).fill(QUICK))).toEqual({ limit: 10, isQuick: true })
  })

  test('halves with each silence, to one', () => {
    const full = { limit: 10, isQuick: true }
    expect(paced([SILENT], full)).toEqual({ limit: 5, isQuick: false })
    expect(paced(Array(9).fill(SILENT), full)).toEqual({ limit: 1, isQuick: false })
  })

  test('grows for a slow receiver too, which stays slow', () => {
    expect(paced([SLOW, SLOW])).toEqual({ limit: 4, isQuick: false })
  })

  test('neither grows nor falls by quick failures', () => {
    expect(paced([ERROR, REFUSED])).toEqual(NEW_WINDOW)
    expect(paced([QUICK, ERROR, REFUSED])).toEqual({ limit: 3, isQuick: true })
  })
})

describe('the paces kept', () => {
  test('are new for who is unknown, and name the quick', () => {
    const paces = createConcurrencyWindows()
    paces.learn('a', paced([QUICK]))
    paces.learn('b', paced([SILENT]))
    expect(paces.of('c')).toEqual(NEW_WINDOW)
    expect(paces.of('a').limit).toBe(3)
    expect(paces.quick()).toEqual(['a'])
  })

  test('forget who was not heard of longest', () => {
    const paces = createConcurrencyWindows()
    for (let i = 0; i <= 10_000; i += 1) {
      paces.learn(`s${i}`, paced([QUICK]))
      paces.learn('often', paced([QUICK]))
    }
    expect(paces.quick()).toHaveLength(10_000)
    expect(paces.of('s0')).toEqual(NEW_WINDOW)
    expect(paces.of('often').limit).toBe(3)
  })
})
