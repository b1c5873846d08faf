import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createFairQueue, type FairQueueOptions } from './fair-queue.ts'

const ROOMY: FairQueueOptions = {
  runningMax: 4,
  runningPerKeyMax: 4,
  waitingMax: 100,
  waitingPerKeyMax: 100,
  waitMaxMs: 60_000,
  refusal: 'too much is waiting',
}

/** A queue whose work writes down when it starts. */
function createRecorded(options: Partial<FairQueueOptions> = {}) {
  const queue = createFairQueue({ ...ROOMY, ...options })
  const started: string[] = []
  const refused: string[] = []
  function enter(key: string, name: string, weight = 1, isGone?: () => boolean) {
    const entered = queue.acquire(key, weight, isGone)
    if (entered === null) {
      started.push(name)
      return
    }
    entered.then(
      () => started.push(name),
      () => refused.push(name),
    )
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { queue, started, refused, enter, settle }
}

describe('running work', () => {
  test('is limited by weight, in total and for each key', async () => {
    const { started, enter, queue, settle } = createRecorded({ runningPerKeyMax: 2 })
    enter('a', 'a1', 2)
    enter('a', 'a2')
    enter('b', 'b1')
    enter('b', 'b2')
    enter('c', 'c1')
    expect(started).toEqual(['a1', 'b1', 'b2'])
    queue.release('a', 2)
    await settle()
    expect(started).toEqual(['a1', 'b1', 'b2', 'a2', 'c1'])
    expect(queue.state()).toEqual({ running: 4, waiting: 0 })
  })

  test('that is heavier than the limit runs alone', async () => {
    const { started, enter, queue, settle } = createRecorded()
    enter('a', 'light')
    enter('b', 'heavy', 9)
    expect(started).toEqual(['light'])
    queue.release('a', 1)
    await settle()
    expect(started).toEqual(['light', 'heavy'])
  })
})

describe('waiting work', () => {
  test('starts in turns of its keys, so that many items of one do not delay another', async () => {
    const { started, enter, queue, settle } = createRecorded({ runningMax: 1 })
    for (let i = 0; i < 50; i++) {
      enter('flood', `flood ${i}`)
    }
    enter('honest', 'honest')
    queue.release('flood', 1)
    await settle()
    queue.release('flood', 1)
    await settle()
    expect(started).toEqual(['flood 0', 'flood 1', 'honest'])
  })

  test('is not overtaken for ever by lighter work that comes later', async () => {
    const { started, enter, queue, settle } = createRecorded()
    enter('a', 'a', 3)
    enter('b', 'heavy', 4)
    enter('c', 'light', 1)
    expect(started).toEqual(['a'])
    queue.release('a', 3)
    await settle()
    expect(started).toEqual(['a', 'heavy'])
    queue.release('b', 4)
    await settle()
    expect(started).toEqual(['a', 'heavy', 'light'])
  })

  test('is refused when it has waited too long', async () => {
    const { refused, enter, queue } = createRecorded({ runningMax: 1, waitMaxMs: 0 })
    enter('a', 'a1')
    await expect(queue.acquire('a', 1)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'too much is waiting',
      retryAfterSeconds: 1,
    })
    expect(refused).toEqual([])
    expect(queue.state()).toEqual({ running: 1, waiting: 0 })
  })

  test('is refused sooner while the queue stays full, except the only item of its key', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { refused, enter } = createRecorded({
      runningMax: 1,
      waitMaxMs: 500,
      crowded: { waitMaxMs: 100, totalMs: 60_000, waitMinMs: 100 },
    })
    enter('flood', 'running')
    enter('flood', 'first')
    await vi.advanceTimersByTimeAsync(450)
    expect(refused).toEqual([])
    enter('flood', 'second')
    enter('honest', 'only')
    await vi.advanceTimersByTimeAsync(200)
    expect(refused).toEqual(['first', 'second'])
    await vi.advanceTimersByTimeAsync(400)
    expect(refused).toEqual(['first', 'second', 'only'])
  })

  test('of a crowded queue waits the shorter, the longer the work of its key takes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { refused, enter, queue } = createRecorded({
      runningMax: 2,
      runningPerKeyMax: 1,
      waitMaxMs: 500,
      crowded: { waitMaxMs: 400, totalMs: 600, waitMinMs: 100 },
    })
    // The work of one takes 50 ms, and that of the other 400 ms.
    let fast = 0
    for (let ms = 0; ms < 2_000; ms += 50) {
      enter('fast', `fast ${fast++}`)
      if (ms === 0) {
        enter('fast', `fast ${fast++}`)
      }
      if (ms % 400 === 0) {
        enter('slow', `slow ${ms}`)
        enter('slow', `slow also ${ms}`)
      }
      await vi.advanceTimersByTimeAsync(50)
      queue.release('fast', 1)
      if (ms % 400 === 350) {
        queue.release('slow', 1)
      }
    }
    expect(refused.filter((name) => name.startsWith('fast'))).toEqual([])
    enter('slow', 'last slow')
    enter('fast', 'last fast')
    await vi.advanceTimersByTimeAsync(300)
    expect(refused).toContain('last slow')
    expect(refused).not.toContain('last fast')
  })

  test('can wait the full time again after the queue was empty', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { refused, enter, queue, started } = createRecorded({
      runningMax: 1,
      waitMaxMs: 500,
      crowded: { waitMaxMs: 100, totalMs: 60_000, waitMinMs: 100 },
    })
    enter('a', 'running')
    enter('a', 'first')
    await vi.advanceTimersByTimeAsync(400)
    queue.release('a', 1)
    await vi.advanceTimersByTimeAsync(50)
    enter('a', 'second')
    await vi.advanceTimersByTimeAsync(400)
    expect([started, refused]).toEqual([['running', 'first'], []])
  })

  test('is refused at a bounded rate, so that clients that retry at once cost little', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { refused, enter, queue } = createRecorded({
      runningMax: 1,
      waitMaxMs: 0,
      refusalsPerSecondMax: 20,
    })
    enter('a', 'running')
    for (let i = 0; i < 5; i++) {
      enter('a', `late ${i}`)
    }
    await vi.advanceTimersByTimeAsync(50)
    expect(refused).toEqual(['late 0'])
    expect(queue.state()).toEqual({ running: 1, waiting: 4 })
    await vi.advanceTimersByTimeAsync(200)
    expect(refused).toHaveLength(5)
  })

  test('is refused evenly where the rate would take longer than five seconds', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { refused, enter } = createRecorded({
      runningMax: 1,
      waitMaxMs: 0,
      refusalsPerSecondMax: 20,
      waitingMax: 2_000,
      waitingPerKeyMax: 2_000,
    })
    enter('a', 'running')
    for (let i = 0; i < 1_000; i++) {
      enter('a', `late ${i}`)
    }
    const perSecond: number[] = []
    for (let second = 0; second < 5; second++) {
      const before = refused.length
      await vi.advanceTimersByTimeAsync(1_000)
      perSecond.push(refused.length - before)
    }
    expect(refused).toHaveLength(1_000)
    expect(Math.max(...perSecond)).toBeLessThan(300)
  })

  test('is refused at the same rate where it may not even wait', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { refused, enter, queue } = createRecorded({
      runningMax: 1,
      waitingPerKeyMax: 1,
      refusalsPerSecondMax: 20,
      heldMax: 2,
    })
    enter('a', 'running')
    enter('a', 'waiting')
    for (let i = 0; i < 3; i++) {
      enter('a', `too many ${i}`)
    }
    await vi.advanceTimersByTimeAsync(0)
    // More than may be held: this one is refused at once.
    expect(refused).toEqual(['too many 2'])
    await vi.advanceTimersByTimeAsync(50)
    expect(refused).toEqual(['too many 2', 'too many 0'])
    await vi.advanceTimersByTimeAsync(50)
    expect(refused).toEqual(['too many 2', 'too many 0', 'too many 1'])
    await expect(Promise.race([queue.refuse(), Promise.resolve('held')])).resolves.toBe('held')
  })

  test('is refused at once when the queue closes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { refused, enter } = createRecorded({
      runningMax: 1,
      waitMaxMs: 0,
      refusalsPerSecondMax: 20,
      isEnding: () => true,
    })
    enter('a', 'running')
    for (let i = 0; i < 5; i++) {
      enter('a', `late ${i}`)
    }
    await vi.advanceTimersByTimeAsync(50)
    expect(refused).toHaveLength(5)
  })

  test('is refused at once beyond the maximum of its key', async () => {
    const { refused, enter, settle } = createRecorded({ runningMax: 1, waitingPerKeyMax: 2 })
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) {
      enter('a', name)
    }
    await settle()
    expect(refused).toEqual(['a4', 'a5'])
  })

  test('gives way beyond the maximum of all keys, where its key has more than another', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { refused, enter, queue } = createRecorded({ runningMax: 1, waitingMax: 3 })
    for (const name of ['a1', 'a2', 'a3', 'a4']) {
      enter('a', name)
    }
    expect(queue.isFull('a')).toBe(true)
    expect(queue.isFull('b')).toBe(false)
    enter('b', 'b1')
    enter('c', 'c1')
    enter('d', 'd1')
    await vi.advanceTimersByTimeAsync(50)
    expect(refused).toEqual(['d1', 'a4', 'a3'])
    expect(queue.state()).toEqual({ running: 1, waiting: 3 })
  })

  test('is not started for a client that has disconnected', async () => {
    const { started, refused, enter, queue, settle } = createRecorded({ runningMax: 1 })
    enter('a', 'a1')
    enter('a', 'gone', 1, () => true)
    enter('a', 'a2')
    queue.release('a', 1)
    await settle()
    expect(started).toEqual(['a1', 'a2'])
    expect(refused).toEqual(['gone'])
  })
})
