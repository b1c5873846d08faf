import { expect, onTestFinished, test, vi } from 'vitest'
import type { Caller } from '../domain/caller.ts'
import type { AbortCheck } from '../lib/signal-after.ts'
import { type Asker, createReplays } from './replays.ts'

function asker(caller: Caller, isGone = () => false): Asker {
  return { caller, isGone }
}

const anonymous = (address: string) => asker({ kind: 'anonymous', address })
const operator = asker({ kind: 'operator', operatorId: 'operator' })
const LATE = 'could not be computed in time'

test('anonymous callers wait only for each other, and no other caller waits for them', async () => {
  const replays = createReplays()
  const started: string[] = []
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const first = replays.run(anonymous('203.0.113.1'), () => {
    started.push('anonymous')
    return ended
  })
  const second = replays.run(anonymous('198.51.100.1'), async () => {
    started.push('another address')
  })
  await replays.run(operator, async () => {
    started.push('operator')
  })
  expect(started).toEqual(['anonymous', 'operator'])
  expect(replays.state().anonymous).toEqual({ running: 1, waiting: 1 })
  end()
  await Promise.all([first, second])
  expect(started).toEqual(['anonymous', 'operator', 'another address'])
})

test('work for a disconnected client ends at its next step, and frees its slot', async () => {
  const replays = createReplays()
  let isGone = false
  let steps = 0
  const caller: Caller = { kind: 'anonymous', address: '203.0.113.1' }
  const work = replays.run(
    asker(caller, () => isGone),
    async (signal) => {
      for (;;) {
        signal.throwIfAborted()
        steps++
        isGone = steps === 2
      }
    },
  )
  await expect(work).rejects.toThrow(LATE)
  expect(steps).toBe(2)
  expect(replays.state().anonymous).toEqual({ running: 0, waiting: 0 })
})

test('work for an anonymous caller ends at its deadline, and work for others has more time', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const replays = createReplays()
  const threeSeconds = async (signal: AbortCheck) => {
    vi.advanceTimersByTime(3_000)
    signal.throwIfAborted()
    return 'done'
  }
  await expect(replays.run(anonymous('203.0.113.1'), threeSeconds)).rejects.toThrow(LATE)
  expect(await replays.run(operator, threeSeconds)).toBe('done')
})
