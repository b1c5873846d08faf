import { expect, onTestFinished, test, vi } from 'vitest'
import { createBackgroundFolds } from './background-folds.ts'

function folds() {
  return createBackgroundFolds((error) => {
    throw error
  })
}

test('background work pauses between two steps for as long as the first one took', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const startedAt: number[] = []
  const from = performance.now()
  folds().start('log', 'account', async () => {
    startedAt.push(performance.now() - from)
    vi.advanceTimersByTime(100)
    return startedAt.length === 3
  })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(startedAt).toEqual([0, 200, 400])
})

test('one step runs at a time, and accounts take turns', async () => {
  const { start, close } = folds()
  const steps: string[] = []
  let running = 0
  const stepsOf = (name: string, count: number) => async () => {
    running += 1
    expect(running).toBe(1)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    steps.push(name)
    return steps.filter((one) => one === name).length === count
  }
  start('a1', 'a', stepsOf('a1', 2))
  start('a2', 'a', stepsOf('a2', 2))
  start('b1', 'b', stepsOf('b1', 1))
  await vi.waitFor(() => expect(steps).toHaveLength(5))
  expect(steps.indexOf('b1')).toBeLessThan(3)
  await close()
})

test('an account has at most eight in progress, without an effect on other accounts', async () => {
  const { start, close } = folds()
  const never = () => new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))
  const taken = Array.from({ length: 9 }, (_, i) => start(`a${i}`, 'a', never))
  expect(taken).toEqual([...Array(8).fill(true), false])
  expect([start('a0', 'a', never), start('b', 'b', never)]).toEqual([true, true])
  await close()
})
