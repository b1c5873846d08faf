import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it as test, vi } from 'vitest'
import { eventually } from '../../test/support/eventually.ts'
import { createPolicy } from './address.ts'
import type { Attempt } from './attempt.ts'
import { createWebhookAgent } from './connect.ts'
import { CLAIM_MS, type DeliveryStore, type Job } from './delivery-store.ts'
import { createDispatcher, type Dispatcher, type DispatcherOptions } from './dispatcher.ts'
import { post, unanswered } from './post.ts'
import { newSecret, signatureHeaders } from './sign.ts'
import { createMemoryStore } from './testing/memory-store.ts'
import { httpReceiver } from './testing/receiver.ts'

const OK: Attempt = { ...unanswered(''), outcome: 'delivered', status: 200, durationMs: 5 }
const ERROR: Attempt = { ...OK, outcome: 'failed', status: 500 }
const GONE: Attempt = { ...OK, outcome: 'gone', status: 410 }
const TIMEOUT: Attempt = { ...unanswered('timed out'), durationMs: 15_000 }

const open: (() => unknown)[] = []

afterEach(async () => {
  for (const close of open.splice(0).reverse()) {
    await close()
  }
})

function pumpOf<J extends Job>(
  store: DeliveryStore<J>,
  send: DispatcherOptions<J>['send'],
  over: Partial<DispatcherOptions<J>> = {},
): Dispatcher {
  const pump = createDispatcher({ store, send, onError: () => {}, ...over })
  open.push(() => pump.stop())
  return pump
}

/** A `send` whose attempts end when the test says so. */
function held() {
  const posts: { job: Job; end: (attempt: Attempt) => void }[] = []
  let answer: Attempt | null = null
  const send = (job: Job) =>
    new Promise<Attempt>((end) => {
      if (answer === null) {
        posts.push({ job, end })
      } else {
        end(answer)
      }
    })
  const inFlight = (id: string) => posts.filter(({ job }) => job.subscriptionId === id).length
  function endAll(attempt: Attempt) {
    for (const { end } of posts.splice(0)) {
      end(attempt)
    }
  }
  /** Ends these and all that come. */
  function letGo(attempt: Attempt) {
    answer = attempt
    endAll(attempt)
  }
  return { posts, send, inFlight, endAll, letGo }
}

const until = (check: () => void) => eventually(check, { interval: 1 })
const turn = () => new Promise(setImmediate)

describe('a pump', () => {
  test('delivers everything once and records it', async () => {
    const store = createMemoryStore()
    const sent: string[] = []
    for (let i = 0; i < 2000; i += 1) {
      store.insert(`sub_${i % 7}`, `agent_${i % 50}`)
    }
    pumpOf(store, async (job) => {
      sent.push(job.id)
      await turn()
      return OK
    }).wake()
    await until(() => expect(store.rows.every((row) => row.isDone)).toBe(true))
    expect(sent).toHaveLength(2000)
    expect(new Set(sent).size).toBe(2000)
    expect(store.rows.every((row) => row.attempts.length === 1)).toBe(true)
  })

  test('sends the jobs of one lane in order and one at a time, other lanes beside', async () => {
    const store = createMemoryStore()
    const sent = new Map<string, string[]>()
    const busy = new Set<string>()
    let most = 0
    for (let i = 0; i < 300; i += 1) {
      store.insert('sub', `agent_${i % 5}`)
    }
    pumpOf(store, async ({ lane, id }) => {
      const key = String(lane)
      expect(busy.has(key)).toBe(false)
      busy.add(key)
      most = Math.max(most, busy.size)
      sent.set(key, [...(sent.get(key) ?? []), id])
      await turn()
      busy.delete(key)
      return OK
    }).wake()
    await until(() => expect(store.rows.every((row) => row.isDone)).toBe(true))
    for (const [lane, ids] of sent) {
      expect(ids).toEqual(store.rows.filter((row) => row.lane === lane).map((row) => row.id))
    }
    expect(most).toBe(5)
  })

  test('holds the rest of a lane back when one fails, and sends it after the retry', async () => {
    const store = createMemoryStore()
    const [first, second, other] = [
      store.insert('sub', 'a'),
      store.insert('sub', 'a'),
      store.insert('sub', 'b'),
    ]
    let clock = 1_000_000
    let answer = ERROR
    const sent: string[] = []
    const send = async (job: Job) => {
      sent.push(job.id)
      return job.id === first?.id ? answer : OK
    }
    const pump = pumpOf(store, send, { now: () => clock })
    pump.wake()
    await until(() => expect([first?.attempts.length, other?.isDone]).toEqual([1, true]))
    pump.wake()
    await turn()
    expect(second?.attempts).toEqual([])
    answer = OK
    clock += 5000
    pump.wake()
    await until(() => expect(second?.isDone).toBe(true))
    expect(sent.filter((id) => id !== other?.id)).toEqual([first?.id, first?.id, second?.id])
  })

  test('has at most ten in flight for one receiver, and no more than its places in all', async () => {
    const store = createMemoryStore()
    const { posts, send, inFlight, endAll } = held()
    for (let i = 0; i < 600; i += 1) {
      store.insert(`sub_${i % 4}`, null)
    }
    pumpOf(store, send, { limits: { total: 30 } }).wake()
    let most = 0
    while (store.rows.some((row) => !row.isDone)) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      most = Math.max(most, inFlight('sub_0'))
      expect(inFlight('sub_0')).toBeLessThanOrEqual(10)
      expect(posts.length).toBeLessThanOrEqual(30)
      endAll(OK)
    }
    expect(most).toBeGreaterThan(5)
  })

  test('lets a receiver that hangs hold two places, and delays no other', async () => {
    const store = createMemoryStore()
    const hung = held()
    const isHung = (id: string) => Number(id.slice(4)) < 50
    for (let i = 0; i < 5000; i += 1) {
      store.insert(`sub_${i % 100}`, `agent_${i % 300}`)
    }
    const send = async (job: Job) => (isHung(job.subscriptionId) ? hung.send(job) : OK)
    pumpOf(store, send).wake()
    const quick = store.rows.filter((row) => !isHung(row.subscriptionId))
    await until(() => expect(quick.every((row) => row.isDone)).toBe(true))
    for (let i = 0; i < 50; i += 1) {
      expect(hung.inFlight(`sub_${i}`)).toBe(2)
    }
    hung.letGo(TIMEOUT)
  })

  test('keeps half of its places for the quick, however many hang', async () => {
    const store = createMemoryStore()
    const hung = held()
    const total = 40
    const send = async (job: Job) => (job.lane === 'hung' ? hung.send(job) : OK)
    const pump = pumpOf(store, send, { limits: { total } })
    store.insert('quick', 'known')
    pump.wake()
    await until(() => expect(store.rows[0]?.isDone).toBe(true))
    for (let i = 0; i < 500; i += 1) {
      store.insert(`sub_${i}`, 'hung')
    }
    pump.wake()
    await until(() => expect(hung.posts).toHaveLength(total / 2))
    const quick = Array.from({ length: 200 }, () => store.insert('quick', null))
    pump.wake()
    await until(() => expect(quick.every((row) => row.isDone)).toBe(true))
    expect(hung.posts).toHaveLength(total / 2)
    hung.letGo(TIMEOUT)
  })

  test('takes its places back from a quick receiver that begins to hang', async () => {
    const store = createMemoryStore()
    const { posts, send, endAll, letGo } = held()
    let clock = 1_000_000
    for (let i = 0; i < 200; i += 1) {
      store.insert('sub', null)
    }
    const pump = pumpOf(store, send, { now: () => clock, limits: { claimed: 64 } })
    pump.wake()
    const claimed = () => store.rows.filter((row) => !row.isDone && row.dueAt > clock)
    for (let done = 0; done < 30; done = store.rows.filter((row) => row.isDone).length) {
      endAll(OK)
      await turn()
    }
    await until(() => expect([posts.length, claimed().length]).toEqual([10, 74]))
    clock += 1001
    await until(() => expect(claimed().length).toBeLessThanOrEqual(30))
    expect(posts).toHaveLength(10)
    letGo(TIMEOUT)
    await until(() => expect(store.healthOf('sub').status).toBe('paused'))
  })

  test('sends nothing more to a receiver that is gone, and gives back what waits', async () => {
    const store = createMemoryStore()
    for (let i = 0; i < 40; i += 1) {
      store.insert('sub', null)
    }
    const sent: Job[] = []
    const pump = pumpOf(store, async (job) => {
      sent.push(job)
      return GONE
    })
    pump.wake()
    await until(() => expect(store.healthOf('sub').status).toBe('disabled'))
    await pump.stop()
    expect(sent.length).toBeLessThanOrEqual(4)
    const untried = store.rows.filter((row) => row.attempts.length === 0)
    expect(untried.every((row) => row.dueAt === 0)).toBe(true)
  })

  test('stops sending to a receiver that is paused', async () => {
    const store = createMemoryStore()
    for (let i = 0; i < 500; i += 1) {
      store.insert('sub', null)
    }
    pumpOf(store, async () => ERROR).wake()
    await until(() => expect(store.healthOf('sub').status).toBe('paused'))
    await until(() =>
      expect(store.rows.filter((row) => !row.attempts.length).every((row) => !row.dueAt)).toBe(
        true,
      ),
    )
    expect(store.rows.filter((row) => row.attempts.length > 0).length).toBeLessThan(30)
  })

  test('counts a send that throws as a failed attempt', async () => {
    const store = createMemoryStore()
    const row = store.insert('sub', null)
    const onError = vi.fn()
    const send = () => {
      throw new Error('no key')
    }
    pumpOf(store, send, { onError }).wake()
    await until(() => expect(row.attempts).toHaveLength(1))
    expect(row.attempts[0]).toMatchObject({ outcome: 'failed', error: 'could not be sent' })
    expect(onError).toHaveBeenCalledOnce()
  })
})

describe('waking a pump', () => {
  test('a thousand times at once makes two claims at most', async () => {
    const store = createMemoryStore()
    const pump = pumpOf(store, async () => OK)
    for (let i = 0; i < 1000; i += 1) {
      pump.wake()
    }
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(store.claims()).toBeLessThanOrEqual(2)
  })

  test('is not needed: what nobody announced is found by the timer', async () => {
    const store = createMemoryStore()
    pumpOf(store, async () => OK, { idleMs: 20 }).wake()
    await turn()
    const row = store.insert('sub', null)
    await until(() => expect(row.isDone).toBe(true))
  })

  test('is not needed for a retry: the store says when it falls due', async () => {
    const store = createMemoryStore()
    const row = store.insert('sub', null)
    row.dueAt = Date.now() + 100
    pumpOf(store, async () => OK, { idleMs: 60_000 }).wake()
    await until(() => expect(row.isDone).toBe(true))
  })
})

describe('a pump that stops', () => {
  test('finishes what is in flight, gives back what waits and starts nothing', async () => {
    const store = createMemoryStore()
    const { posts, send, endAll } = held()
    for (let i = 0; i < 20; i += 1) {
      store.insert('sub', null)
    }
    const pump = pumpOf(store, send)
    pump.wake()
    await until(() => expect(posts).toHaveLength(2))
    const stopped = pump.stop()
    await turn()
    endAll(OK)
    await stopped
    pump.wake()
    await turn()
    expect(posts).toEqual([])
    expect(store.rows.filter((row) => row.isDone)).toHaveLength(2)
    expect(store.rows.filter((row) => !row.isDone).every((row) => row.dueAt === 0)).toBe(true)
  })

  test('while a claim is under way gives back what the claim brings', async () => {
    const store = createMemoryStore()
    const row = store.insert('sub', null)
    const sent: Job[] = []
    const pump = pumpOf(store, async (job) => {
      sent.push(job)
      return OK
    })
    pump.wake()
    await pump.stop()
    expect(sent).toEqual([])
    expect(row).toMatchObject({ dueAt: 0, isDone: false })
  })
})

describe('when the store fails', () => {
  test('claims and records are tried again, and nothing is sent twice', async () => {
    const memory = createMemoryStore()
    let calls = 0
    const flaky = <A extends unknown[], R>(call: (...args: A) => Promise<R>) => {
      return (...args: A) => (calls++ % 3 === 0 ? Promise.reject(new Error('away')) : call(...args))
    }
    const store = { claim: flaky(memory.claim), record: flaky(memory.record) }
    for (let i = 0; i < 300; i += 1) {
      memory.insert(`sub_${i % 3}`, `agent_${i % 9}`)
    }
    const onError = vi.fn()
    pumpOf(store, async () => OK, { onError, retryMs: 1 }).wake()
    await until(() => expect(memory.rows.every((row) => row.isDone)).toBe(true))
    expect(memory.rows.every((row) => row.attempts.length === 1)).toBe(true)
    expect(onError).toHaveBeenCalled()
  })

  test('one record it will not take keeps no other, and is dropped with its claim', async () => {
    const memory = createMemoryStore()
    for (let i = 0; i < 50; i += 1) {
      memory.insert(`sub_${i}`, null)
    }
    const poison = memory.rows[10]
    let clock = 1_000_000
    const record: typeof memory.record = (done, back) =>
      done.some(({ job }) => job === poison)
        ? Promise.reject(new Error('not this one'))
        : memory.record(done, back)
    const pump = pumpOf({ ...memory, record }, async () => OK, { retryMs: 1, now: () => clock })
    pump.wake()
    const others = memory.rows.filter((row) => row !== poison)
    await until(() => expect(others.every((row) => row.isDone)).toBe(true))
    clock += CLAIM_MS + 1
    await pump.stop()
    expect(poison?.isDone).toBe(false)
  })

  test('for good, stopping gives up after one more try', async () => {
    const memory = createMemoryStore()
    memory.insert('sub', null)
    const record = vi.fn(() => Promise.reject(new Error('away')))
    const pump = pumpOf({ ...memory, record }, async () => OK, { retryMs: 60_000 })
    pump.wake()
    await until(() => expect(record).toHaveBeenCalledOnce())
    await pump.stop()
    expect(record).toHaveBeenCalledTimes(2)
  })
})

describe('signed posts through a pump', () => {
  test('reach real receivers at once while others hang', async () => {
    const store = createMemoryStore()
    const secret = newSecret()
    const verified: unknown[] = []
    const quick = await httpReceiver((request, response) => {
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
    const dispatcher = createWebhookAgent({ policy: createPolicy(['127.0.0.0/8']) })
    open.push(quick.close, hanging.close, () => dispatcher.destroy())
    for (let i = 0; i < 400; i += 1) {
      store.insert(i % 2 ? 'quick' : `hung_${i % 10}`, `agent_${i % 20}`, JSON.stringify({ i }))
    }
    const pump = createDispatcher({
      store,
      onError: (error) => expect(error).toBeNull(),
      send: ({ id, body, subscriptionId }) => {
        const { port } = subscriptionId === 'quick' ? quick : hanging
        const timestampSeconds = Math.floor(Date.now() / 1000)
        const headers = { ...signatureHeaders({ id, timestampSeconds, body, secrets: [secret] }) }
        const url = `http://127.0.0.1:${port}/`
        return post({ url, headers, body, dispatcher, timeoutMs: 20_000 })
      },
    })
    pump.wake()
    await until(() => expect(verified).toHaveLength(200))
    expect(
      store.rows.filter((row) => row.subscriptionId !== 'quick' && row.attempts.length),
    ).toEqual([])
    await hanging.close()
    await pump.stop()
    // Five such receivers, two places each.
    expect(hung).toBeLessThanOrEqual(10)
  })
})
