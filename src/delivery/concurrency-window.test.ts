import { describe, expect, test } from 'vitest'
import type { Attempt } from './attempt.ts'
import {
  type ConcurrencyWindow,
  createConcurrencyWindows,
  NEW_WINDOW,
  windowAfter,
} from './concurrency-window.ts'
import { noResponse } from './post.ts'

const answered = (outcome: Attempt['outcome'], status: number, durationMs: number): Attempt => ({
  ...noResponse(''),
  outcome,
  status,
  durationMs,
})
const FAST = answered('delivered', 200, 20)
const SLOW = answered('delivered', 200, 3000)
const ERROR = answered('failed', 500, 20)
const SILENT: Attempt = { ...noResponse('timed out'), durationMs: 15_000 }
const REFUSED: Attempt = { ...noResponse('connection refused'), durationMs: 1 }

const windowOf = (attempts: readonly Attempt[], from: ConcurrencyWindow = NEW_WINDOW) =>
  attempts.reduce((window, attempt) => windowAfter(window, attempt, 10), from)

describe('the concurrency window of a receiver', () => {
  test('starts at two and grows by one with each delivery, up to its limit', () => {
    expect(NEW_WINDOW).toEqual({ limit: 2, isSlow: true })
    expect(windowOf([FAST])).toEqual({ limit: 3, isSlow: false })
    expect(windowOf(Array(50).fill(FAST))).toEqual({ limit: 10, isSlow: false })
  })

  test('halves with each missing response, down to one', () => {
    const full = { limit: 10, isSlow: false }
    expect(windowOf([SILENT], full)).toEqual({ limit: 5, isSlow: true })
    expect(windowOf(Array(9).fill(SILENT), full)).toEqual({ limit: 1, isSlow: true })
  })

  test('grows for a slow receiver too, which stays slow', () => {
    expect(windowOf([SLOW, SLOW])).toEqual({ limit: 4, isSlow: true })
  })

  test('stays the same after fast failures', () => {
    expect(windowOf([ERROR, REFUSED])).toEqual(NEW_WINDOW)
    expect(windowOf([FAST, ERROR, REFUSED])).toEqual({ limit: 3, isSlow: false })
  })
})

describe('concurrency windows', () => {
  test('are new for an unknown subscription, and list the healthy ones', () => {
    const windows = createConcurrencyWindows()
    windows.learn('a', windowOf([FAST]))
    windows.learn('b', windowOf([SILENT]))
    expect(windows.of('c')).toEqual(NEW_WINDOW)
    expect(windows.of('a').limit).toBe(3)
    expect(windows.healthy()).toEqual(['a'])
  })

  test('drop the one that was unused longest', () => {
    const windows = createConcurrencyWindows()
    for (let i = 0; i <= 10_000; i += 1) {
      windows.learn(`s${i}`, windowOf([FAST]))
      windows.learn('often', windowOf([FAST]))
    }
    expect(windows.healthy()).toHaveLength(10_000)
    expect(windows.of('s0')).toEqual(NEW_WINDOW)
    expect(windows.of('often').limit).toBe(3)
  })
})
