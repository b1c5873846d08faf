import { setImmediate } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { Log } from '../lib/log.ts'
import { type Closers, closeAll } from './closers.ts'

const NEVER = () => new Promise<void>(() => {})

/** Closes the parts by a clock of its own; how it ended, after how long, and what was logged. */
async function closed(closers: Closers, graceMs = 0) {
  let now = 0
  const wait = async (ms: number, signal: AbortSignal) => {
    // What ends at once has ended by then.
    await setImmediate()
    now += signal.aborted ? 0 : ms
  }
  const lines: unknown[] = []
  const line = ({ part }: { readonly part: string }) => void lines.push(part)
  const log = { warn: line, error: line } as unknown as Log
  const isClean = await closeAll(closers, log, { graceMs }, { now: () => now, wait })
  return { isClean, lines, ms: now }
}

test('the parts are closed one after the other, the last one first', async () => {
  const order: number[] = []
  const part = (n: number) => ({ name: `${n}`, close: async () => void order.push(n) })
  const { isClean, lines } = await closed([part(1), part(2), part(3)])
  expect([isClean, lines, order]).toEqual([true, [], [3, 2, 1]])
})

test('background work that does not end is abandoned, and the service ends normally', async () => {
  const background = Array.from({ length: 5 }, (_, i) => ({
    name: `background ${i}`,
    leftAfterMs: 1_000,
    close: NEVER,
  }))
  const ended = vi.fn(async () => {})
  const { isClean, lines, ms } = await closed([{ name: 'database', close: ended }, ...background])
  expect(isClean).toBe(true)
  expect(lines).toHaveLength(5)
  expect(ms).toBeLessThan(9_000)
  expect(ended).toHaveBeenCalledOnce()
})

test('parts that hang take at most nine seconds in total, and are reported', async () => {
  const parts = Array.from({ length: 20 }, (_, i) => ({ name: `part ${i}`, close: NEVER }))
  const { isClean, lines, ms } = await closed(parts, 3_000)
  expect(isClean).toBe(false)
  expect(lines).toHaveLength(20)
  expect(ms).toBeLessThanOrEqual(9_000)
})

test('a part that fails to close is reported', async () => {
  const failed = await closed([{ name: 'database', close: () => Promise.reject(new Error('no')) }])
  expect(failed).toMatchObject({ isClean: false, lines: ['database'] })
})
