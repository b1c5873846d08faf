import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { eventually } from '../../test/support/eventually.ts'
import { newSecret, signatureHeaders } from '../lib/standard-webhooks.ts'
import { createPolicy } from '../outbound/address.ts'
import { createGuardedAgent } from '../outbound/connect.ts'
import { httpReceiver } from '../outbound/testing/receiver.ts'
import type { Job } from '../store/delivery-job.ts'
import type { Attempt } from './attempt.ts'
import { createDispatcher, type Dispatcher, type DispatcherOptions } from './dispatcher.ts'
import { noResponse, post } from './post.ts'
import { CLAIM_MS } from './recorder.ts'
import { createMemoryQueue, type MemoryJob } from './testing/memory-queue.ts'

const OK: Attempt = { ...noResponse(''), outcome: 'delivered', status: 200, durationMs: 5 }
const ERROR: Attempt = { ...OK, outcome: 'failed', status: 500 }
const GONE: Attempt = { ...OK, outcome: 'gone', status: 410 }
const TIMEOUT: Attempt = { ...noResponse('timed out'), durationMs: 15_000 }

const closers: (() => unknown)[] = []

afterEach(async () => {
  vi.useRealTimers()
  for (const close of closers.splice(0).reverse()) {
    await close()
  }
})

function startDispatcher(
  queue: DispatcherOptions<MemoryJob>['queue'],
  send: DispatcherOptions<MemoryJob>['send'],
  over: Partial<DispatcherOptions<MemoryJob>> = {},
): Dispatcher {
  const dispatcher = createDispatcher({ queue, send, onError: () => {}, ...over })
  closers.push(dispatcher.stop)
  return dispatcher
}

/** A `send` whose attempts wait until the test ends them. */
function createGate() {
  const waiting: { job: Job; end: (attempt: Attempt) => void }[] = []
  let answer: Attempt | null = null
  const send = (job: Job) =>
    new Promise<Attempt>((end) => {
      if (answer === null) {
        waiting.push({ job, end })
      } else {
        end(answer)
      }
    })
  const inFlight = (id: string) => waiting.filter(({ job }) => job.subscriptionId === id).length
  function endAll(attempt: Attempt) {
    for (const { end } of waiting.splice(0)) {
      end(attempt)
    }
  }
  /** Ends those that wait and all that follow. */
  function open(attempt: Attempt) {
    answer = attempt
    endAll(attempt)
  }
  return { waiting, send, inFlight, endAll, open }
}

const until = (check: () => void) => eventually(check, { interval: 1 })
const turn = () => new Promise(setImmediate)
const areDone = (jobs: readonly MemoryJob[]) => jobs.every(({ isDone }) => isDone)
const attempted = (jobs: readonly MemoryJob[]) => jobs.filter((job) => job.attempts.length > 0)
const notAttempted = (jobs: readonly MemoryJob[]) => jobs.filter((job) => job.attempts.length === 0)

/** Deliveries after which a window has grown to its limit. */
const WARM_UP = 60

describe('a dispatcher', () => {
  test('sends every job once and records it', async () => {
    const queue = createMemoryQueue()
    const sent: string[] = []
    for (let i = 0; i < 2000; i += 1) {
      queue.insert(`sub_${i % 7}`, `agent_${i % 50}`)
    }
    startDispatcher(queue, async (job) => {
      sent.push(job.id)
      await turn()
      return OK
    }).wake()
    await until(() => expect(areDone(queue.jobs)).toBe(true))
    expect(sent).toHaveLength(2000)
    expect(new Set(sent).size).toBe(2000)
    expect(queue.jobs.every((job) => job.attempts.length === 1)).toBe(true)
  })

  test.each(['sub', 'agent_0'])(
    'claims again what changed during its claim, before it is sent: %s',
    async (changed) => {
      const queue = createMemoryQueue()
      queue.insert('sub', 'agent_0')
      const steps: string[] = []
      const claim: typeof queue.claim = async (request) => {
        const claimed = await queue.claim(request)
        if (claimed.jobs.length > 0 && steps.push('claimed') === 1) {
          dispatcher.recall([changed])
        }
        return claimed
      }
      const dispatcher = startDispatcher({ claim, record: queue.record }, async () => {
        steps.push('sent')
        return OK
      })
      dispatcher.wake()
      await until(() => expect(areDone(queue.jobs)).toBe(true))
      expect(steps).toEqual(['claimed', 'claimed', 'sent'])
    },
  )

  test('sends jobs with one ordering key in order and one at a time, and five keys in parallel', async () => {
    const queue = createMemoryQueue()
    const gate = createGate()
    const sent = new Map<string, string[]>()
    const inFlight = new Set<string>()
    const overlaps: string[] = []
    let count = 0
    for (let i = 0; i < 300; i += 1) {
      queue.insert('sub', `agent_${i % 5}`)
    }
    startDispatcher(queue, async (job) => {
      const key = String(job.orderingKey)
      if (inFlight.has(key)) {
        overlaps.push(job.id)
      }
      inFlight.add(key)
      sent.set(key, [...(sent.get(key) ?? []), job.id])
      count += 1
      const attempt = count > WARM_UP ? await gate.send(job) : OK
      await turn()
      inFlight.delete(key)
      return attempt
    }).wake()
    await until(() => expect(inFlight.size).toBe(5))
    gate.open(OK)
    await until(() => expect(areDone(queue.jobs)).toBe(true))
    expect(overlaps).toEqual([])
    for (const [key, ids] of sent) {
      const inOrder = queue.jobs.filter(({ orderingKey }) => orderingKey === key)
      expect(ids).toEqual(inOrder.map(({ id }) => id))
    }
  })

  test('delays the jobs behind a failed one with the same ordering key until its retry', async () => {
    const queue = createMemoryQueue()
    const [first, second, other] = [
      queue.insert('sub', 'a'),
      queue.insert('sub', 'a'),
      queue.insert('sub', 'b'),
    ]
    let clock = 1_000_000
    let answer = ERROR
    const sent: string[] = []
    const send = async (job: Job) => {
      sent.push(job.id)
      return job.id === first.id ? answer : OK
    }
    const dispatcher = startDispatcher(queue, send, { now: () => clock, random: () => 0.5 })
    dispatcher.wake()
    await until(() => expect([first.attempts.length, other.isDone]).toEqual([1, true]))
    dispatcher.wake()
    await turn()
    expect(second.attempts).toEqual([])
    answer = OK
    clock += 5000
    dispatcher.wake()
    await until(() => expect(second.isDone).toBe(true))
    expect(sent.filter((id) => id !== other.id)).toEqual([first.id, first.id, second.id])
  })

  test('uses all of its slots, and at most ten of them for one receiver', async () => {
    const queue = createMemoryQueue()
    const gate = createGate()
    const total = 30
    const inFlight = new Map<string, number>()
    let most = 0
    let mostForOne = 0
    let count = 0
    for (let i = 0; i < 600; i += 1) {
      queue.insert(`sub_${i % 4}`, null)
    }
    const send = async (job: Job) => {
      const own = (inFlight.get(job.subscriptionId) ?? 0) + 1
      inFlight.set(job.subscriptionId, own)
      mostForOne = Math.max(mostForOne, own)
      most = Math.max(
        most,
        [...inFlight.values()].reduce((sum, one) => sum + one),
      )
      count += 1
      const attempt = count > 4 * WARM_UP ? await gate.send(job) : OK
      inFlight.set(job.subscriptionId, (inFlight.get(job.subscriptionId) ?? 0) - 1)
      return attempt
    }
    startDispatcher(queue, send, { limits: { total } }).wake()
    await until(() => expect(gate.waiting).toHaveLength(total))
    gate.open(OK)
    await until(() => expect(areDone(queue.jobs)).toBe(true))
    expect(most).toBe(total)
    expect(mostForOne).toBeLessThanOrEqual(10)
  })

  test('gives two slots to a receiver that hangs, without a delay for others', async () => {
    const queue = createMemoryQueue()
    const hung = createGate()
    const hangs = (id: string) => Number(id.slice(4)) < 50
    for (let i = 0; i < 5000; i += 1) {
      queue.insert(`sub_${i % 100}`, `agent_${i % 300}`)
    }
    const send = async (job: Job) => (hangs(job.subscriptionId) ? hung.send(job) : OK)
    startDispatcher(queue, send).wake()
    const healthy = queue.jobs.filter((job) => !hangs(job.subscriptionId))
    await until(() => expect(areDone(healthy)).toBe(true))
    for (let i = 0; i < 50; i += 1) {
      expect(hung.inFlight(`sub_${i}`)).toBe(2)
    }
    hung.open(TIMEOUT)
  })

  test('reserves half of its slots for healthy receivers, however many hang', async () => {
    const queue = createMemoryQueue()
    const hung = createGate()
    const total = 40
    const send = async (job: Job) => (job.orderingKey === 'hung' ? hung.send(job) : OK)
    const dispatcher = startDispatcher(queue, send, { limits: { total } })
    const known = queue.insert('healthy', 'known')
    dispatcher.wake()
    await until(() => expect(known.isDone).toBe(true))
    for (let i = 0; i < 500; i += 1) {
      queue.insert(`sub_${i}`, 'hung')
    }
    dispatcher.wake()
    await until(() => expect(hung.waiting).toHaveLength(total / 2))
    const healthy = Array.from({ length: 200 }, () => queue.insert('healthy', null))
    dispatcher.wake()
    await until(() => expect(areDone(healthy)).toBe(true))
    expect(hung.waiting).toHaveLength(total / 2)
    hung.open(TIMEOUT)
  })

  test('returns the jobs of a healthy receiver that begins to hang', async () => {
    const queue = createMemoryQueue()
    const gate = createGate()
    let clock = 1_000_000
    let count = 0
    for (let i = 0; i < 200; i += 1) {
      queue.insert('sub', null)
    }
    const limits = { claimed: 64 }
    const send = async (job: Job) => {
      count += 1
      return count > WARM_UP ? gate.send(job) : OK
    }
    startDispatcher(queue, send, { now: () => clock, limits }).wake()
    const claimed = () => queue.jobs.filter(({ isDone, dueAt }) => !isDone && dueAt > clock)
    // How many wait behind the ten depends on when the queue was last asked: at least half of 64.
    await until(() => {
      expect(gate.waiting).toHaveLength(10)
      expect(claimed().length).toBeGreaterThan(40)
    })
    clock += 1001
    await until(() => expect(claimed().length).toBeLessThanOrEqual(30))
    expect(gate.waiting).toHaveLength(10)
    gate.open(TIMEOUT)
    await until(() => expect(queue.healthOf('sub').status).toBe('paused'))
  })

  test('sends nothing more to a receiver that is gone, and returns its waiting jobs', async () => {
    const queue = createMemoryQueue()
    for (let i = 0; i < 40; i += 1) {
      queue.insert('sub', null)
    }
    const dispatcher = startDispatcher(queue, async () => GONE)
    dispatcher.wake()
    await until(() => expect(queue.healthOf('sub').status).toBe('disabled'))
    await dispatcher.stop()
    expect(attempted(queue.jobs).length).toBeLessThanOrEqual(4)
    expect(notAttempted(queue.jobs).every(({ dueAt }) => dueAt === 0)).toBe(true)
  })

  test('stops sending to a paused receiver', async () => {
    const queue = createMemoryQueue()
    for (let i = 0; i < 500; i += 1) {
      queue.insert('sub', null)
    }
    startDispatcher(queue, async () => ERROR).wake()
    await until(() => expect(queue.healthOf('sub').status).toBe('paused'))
    await until(() => expect(notAttempted(queue.jobs).every(({ dueAt }) => dueAt === 0)).toBe(true))
    expect(attempted(queue.jobs).length).toBeLessThan(30)
  })

  test('records an error of `send` as a failed attempt', async () => {
    const queue = createMemoryQueue()
    const job = queue.insert('sub', null)
    const onError = vi.fn()
    const send = () => {
      throw new Error('no key')
    }
    startDispatcher(queue, send, { onError }).wake()
    await until(() => expect(job.attempts).toHaveLength(1))
    expect(job.attempts[0]).toMatchObject({ outcome: 'failed', error: 'could not be sent' })
    expect(onError).toHaveBeenCalledOnce()
  })
})

describe('waking a dispatcher', () => {
  test('a thousand times at once makes two claims', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    const queue = createMemoryQueue()
    const dispatcher = startDispatcher(queue, async () => OK, { idleMs: 5000 })
    for (let i = 0; i < 1000; i += 1) {
      dispatcher.wake()
    }
    await vi.advanceTimersByTimeAsync(4000)
    expect(queue.claims()).toBe(2)
  })

  test('is unnecessary for a new job, which a timer finds', async () => {
    const queue = createMemoryQueue()
    startDispatcher(queue, async () => OK, { idleMs: 20 }).wake()
    await turn()
    const job = queue.insert('sub', null)
    await until(() => expect(job.isDone).toBe(true))
  })

  test('is unnecessary for a retry, because its time is in the queue', async () => {
    const queue = createMemoryQueue()
    const job = queue.insert('sub', null)
    job.dueAt = Date.now() + 100
    startDispatcher(queue, async () => OK, { idleMs: 60_000 }).wake()
    await until(() => expect(job.isDone).toBe(true))
  })
})

describe('a dispatcher that stops', () => {
  test('finishes jobs in flight, returns waiting jobs and starts none', async () => {
    const queue = createMemoryQueue()
    const gate = createGate()
    for (let i = 0; i < 20; i += 1) {
      queue.insert('sub', null)
    }
    const dispatcher = startDispatcher(queue, gate.send)
    dispatcher.wake()
    await until(() => expect(gate.waiting).toHaveLength(2))
    const stopped = dispatcher.stop()
    await turn()
    gate.endAll(OK)
    await stopped
    dispatcher.wake()
    await turn()
    expect(gate.waiting).toEqual([])
    expect(queue.jobs.filter(({ isDone }) => isDone)).toHaveLength(2)
    expect(queue.jobs.filter(({ isDone }) => !isDone).every(({ dueAt }) => dueAt === 0)).toBe(true)
  })

  test('during a claim returns the claimed jobs', async () => {
    const queue = createMemoryQueue()
    const job = queue.insert('sub', null)
    const sent: Job[] = []
    const dispatcher = startDispatcher(queue, async (one) => {
      sent.push(one)
      return OK
    })
    dispatcher.wake()
    await dispatcher.stop()
    expect(sent).toEqual([])
    expect(job).toMatchObject({ dueAt: 0, isDone: false })
  })
})

describe('when the queue fails', () => {
  test('claims and records are tried again, and nothing is sent twice', async () => {
    const memory = createMemoryQueue()
    let calls = 0
    const fails = () => calls++ % 3 === 0
    const queue: typeof memory = {
      ...memory,
      claim: (request) => (fails() ? Promise.reject(new Error('away')) : memory.claim(request)),
      record: (batch, decide) =>
        fails() ? Promise.reject(new Error('away')) : memory.record(batch, decide),
    }
    for (let i = 0; i < 300; i += 1) {
      memory.insert(`sub_${i % 3}`, `agent_${i % 9}`)
    }
    const onError = vi.fn()
    startDispatcher(queue, async () => OK, { onError, retryMs: 1 }).wake()
    await until(() => expect(areDone(memory.jobs)).toBe(true))
    expect(memory.jobs.every((job) => job.attempts.length === 1)).toBe(true)
    expect(onError).toHaveBeenCalled()
  })

  test('it is asked again after a pause, however often the dispatcher is woken meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    const memory = createMemoryQueue()
    const job = memory.insert('sub', null)
    let isAway = true
    const claim = vi.fn<typeof memory.claim>((request) =>
      isAway ? Promise.reject(new Error('away')) : memory.claim(request),
    )
    const dispatcher = startDispatcher({ ...memory, claim }, async () => OK, { retryMs: 1000 })
    for (let i = 0; i < 95; i += 1) {
      dispatcher.wake()
      await vi.advanceTimersByTimeAsync(10)
    }
    expect(claim).toHaveBeenCalledOnce()
    isAway = false
    await vi.advanceTimersByTimeAsync(100)
    vi.useRealTimers()
    await until(() => expect(job.isDone).toBe(true))
  })

  test('an attempt that it cannot record delays no other, and is dropped after its claim', async () => {
    const memory = createMemoryQueue()
    for (let i = 0; i < 50; i += 1) {
      memory.insert(`sub_${i}`, null)
    }
    const refused = memory.jobs[10]
    let clock = 1_000_000
    const queue: typeof memory = {
      ...memory,
      record: (batch, decide) =>
        batch.attempted.some((job) => job === refused)
          ? Promise.reject(new Error('not this one'))
          : memory.record(batch, decide),
    }
    const dispatcher = startDispatcher(queue, async () => OK, { retryMs: 1, now: () => clock })
    dispatcher.wake()
    await until(() => expect(areDone(memory.jobs.filter((job) => job !== refused))).toBe(true))
    clock += CLAIM_MS + 1
    await dispatcher.stop()
    expect(refused?.isDone).toBe(false)
  })

  test('for good, stopping gives up after one more try', async () => {
    const memory = createMemoryQueue()
    memory.insert('sub', null)
    const record = vi.fn(() => Promise.reject(new Error('away')))
    const queue = { ...memory, record }
    const dispatcher = startDispatcher(queue, async () => OK, { retryMs: 60_000 })
    dispatcher.wake()
    await until(() => expect(record).toHaveBeenCalledOnce())
    await dispatcher.stop()
    expect(record).toHaveBeenCalledTimes(2)
  })
})

describe('signed posts of a dispatcher', () => {
  test('reach a healthy receiver at once while others hang', async () => {
    const queue = createMemoryQueue()
    const secret = newSecret()
    const verified: unknown[] = []
    const healthy = await httpReceiver((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const headers = request.headers as Record<string, string>
        verified.push(new Webhook(secret).verify(Buffer.concat(chunks), headers))
        response.end()
      })
    })
    let hung = 0
    const hanging = await httpReceiver(() => {
      hung += 1
    })
    const agent = createGuardedAgent({ policy: createPolicy(['127.0.0.0/8']) })
    closers.push(healthy.close, hanging.close, () => agent.destroy())
    for (let i = 0; i < 400; i += 1) {
      queue.insert(i % 2 ? 'healthy' : `hung_${i % 10}`, `agent_${i % 20}`, JSON.stringify({ i }))
    }
    const errors: unknown[] = []
    const send: DispatcherOptions<MemoryJob>['send'] = ({ id, body, subscriptionId }) => {
      const { port } = subscriptionId === 'healthy' ? healthy : hanging
      const timestampSeconds = Math.floor(Date.now() / 1000)
      const headers = { ...signatureHeaders({ id, timestampSeconds, body, secrets: [secret] }) }
      const url = `http://127.0.0.1:${port}/`
      return post({ url, headers, body, dispatcher: agent, timeoutMs: 20_000 })
    }
    const dispatcher = startDispatcher(queue, send, { onError: (error) => errors.push(error) })
    dispatcher.wake()
    await until(() => expect(verified).toHaveLength(200))
    const others = queue.jobs.filter((job) => job.subscriptionId !== 'healthy')
    expect(attempted(others)).toEqual([])
    await hanging.close()
    await dispatcher.stop()
    expect(errors).toEqual([])
    // Five such receivers, two slots each.
    expect(hung).toBeLessThanOrEqual(10)
  })
})
