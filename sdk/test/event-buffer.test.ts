import { describe, expect, onTestFinished, it as test, vi } from 'vitest'
import {
  EventBuffer,
  type EventBufferOptions,
  type EventInput,
  type RejectedEvent,
} from '../src/index.ts'
import { type Answer, type Received, refusal, serve } from './server.ts'

const event = (externalId: string): EventInput => ({ type: 'task.completed', externalId })
const names = (count: number) => Array.from({ length: count }, (_, n) => String(n))
const eventsOf = ({ body }: Received) => (body as { events: readonly EventInput[] }).events
const idsOf = (request: Received) => eventsOf(request).map(({ externalId }) => externalId)

function accepted(request: Received): Answer {
  const events = eventsOf(request)
  const body = { accepted: events.length, rejected: 0, errors: [], data: events }
  return { status: 200, body }
}

/** A buffer of a client of a server that answers so, and what the buffer rejected. */
async function buffered(
  answer: (request: Received, n: number) => Answer,
  options: Partial<EventBufferOptions> = {},
) {
  const server = await serve(answer)
  const rejected: RejectedEvent[] = []
  const client = server.client({ apiKey: 'avp_x', retriesMax: 0 })
  const buffer = new EventBuffer(client, {
    onRejected: (events) => rejected.push(...events),
    // Longer than any test: what is sent is sent for another reason.
    flushAfterMs: 600_000,
    exitSignals: [],
    ...options,
  })
  return { server, buffer, rejected }
}

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** An answer that is given once `release` is called. */
function delayed() {
  const { promise, resolve: release } = deferred<void>()
  const answer = (request: Received): Answer => {
    return async (response) => {
      await promise
      const { body } = accepted(request) as { body: object }
      response.end(JSON.stringify(body))
    }
  }
  return { answer, release }
}

describe('an event buffer', () => {
  test('sends up to a hundred events of one agent at a time, in order', async () => {
    const { server, buffer } = await buffered(accepted)
    for (const name of names(250)) {
      await buffer.add('a', event(name))
    }
    expect(await buffer.close()).toEqual({ accepted: 250, rejected: 0 })
    expect(server.received.map((request) => idsOf(request).length)).toEqual([100, 100, 50])
    expect(server.received.flatMap(idsOf)).toEqual(names(250))
    expect(buffer.size).toBe(0)
  })

  test('sends the events of each agent in a separate request', async () => {
    const { server, buffer } = await buffered(accepted)
    for (const name of names(9)) {
      await buffer.add(`agent-${Number(name) % 3}`, event(name))
    }
    await buffer.flush()
    const sent = server.received.map((request) => [request.url, idsOf(request)])
    expect(sent.sort()).toEqual([
      ['/v1/agents/agent-0/events/batch', ['0', '3', '6']],
      ['/v1/agents/agent-1/events/batch', ['1', '4', '7']],
      ['/v1/agents/agent-2/events/batch', ['2', '5', '8']],
    ])
  })

  test('serves every agent in turn, also while the queues of others are full', async () => {
    const { server, buffer } = await buffered(accepted)
    const busy = ['a', 'b', 'c', 'd']
    for (const agentId of busy) {
      await Promise.all(names(400).map((name) => buffer.add(agentId, event(name))))
    }
    await Promise.all(names(100).map((name) => buffer.add('e', event(name))))
    await buffer.close()
    const turn = server.received.findIndex(({ url }) => url === '/v1/agents/e/events/batch')
    expect(turn).toBeLessThan(2 * busy.length)
  })

  test('sends waiting events after its interval', async () => {
    const arrived = deferred<Received>()
    const note = (request: Received) => {
      arrived.resolve(request)
      return accepted(request)
    }
    const { buffer } = await buffered(note, { flushAfterMs: 1 })
    await buffer.add('a', event('1'))
    expect(idsOf(await arrived.promise)).toEqual(['1'])
    await buffer.close()
  })

  test('flushes the events it has, and not those added meanwhile', async () => {
    const { server, buffer } = await buffered(accepted)
    await buffer.add('a', event('1'))
    const flushed = buffer.flush()
    await buffer.add('a', event('2'))
    await flushed
    expect(server.received.map(idsOf)).toEqual([['1']])
    expect(buffer.size).toBe(1)
    await buffer.close()
  })

  test('never exceeds its size: adding waits for room, and keeps the order', async () => {
    const { answer, release } = delayed()
    const { server, buffer } = await buffered(answer, { eventsMax: 100 })
    await Promise.all(names(100).map((name) => buffer.add('a', event(name))))
    let taken = 0
    const more = ['100', '101'].map((name) => buffer.add('a', event(name)).then(() => taken++))
    await new Promise((resolve) => setImmediate(resolve))
    expect([taken, buffer.size]).toEqual([0, 102])
    release()
    await Promise.all(more)
    await buffer.close()
    expect(server.received.flatMap(idsOf)).toEqual(names(102))
  })

  test('repeats a batch under one key while the service is unavailable, and reports each wait', async () => {
    const reasons: string[] = []
    const server = await serve((request, n) =>
      n < 3 ? { status: 503, body: refusal('SERVICE_UNAVAILABLE') } : accepted(request),
    )
    const onWait = ({ reason, seconds }: { reason: string; seconds: number }) =>
      void reasons.push(`${reason} ${seconds}`)
    const client = server.client({ apiKey: 'avp_x', retriesMax: 0 })
    const onRejected = () => expect.unreachable()
    const wait = async () => undefined
    const buffer = new EventBuffer(client, { onRejected, onWait, wait, exitSignals: [] })
    await buffer.add('a', event('1'))
    expect(await buffer.close()).toEqual({ accepted: 1, rejected: 0 })
    const keys = server.received.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toHaveLength(4)
    expect(new Set(keys).size).toBe(1)
    expect(reasons).toEqual(['unavailable 1', 'unavailable 2', 'unavailable 4'])
  })

  test('gives a batch up while its key still counts, unless each event has an externalId', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const hours = 3_600_000
    const { server, buffer, rejected } = await buffered(
      (request, n) =>
        n < 100 ? { status: 503, body: refusal('SERVICE_UNAVAILABLE') } : accepted(request),
      { wait: async () => void vi.setSystemTime(Date.now() + hours) },
    )
    await buffer.add('a', { type: 'task.completed' })
    await buffer.add('a', event('1'))
    await buffer.flush()
    expect(server.received).toHaveLength(24)
    expect(rejected.map(({ error }) => error.code)).toEqual(['NOT_DELIVERED', 'NOT_DELIVERED'])
    expect(rejected[0]?.error.message).toContain('may or may not have been taken')
    await buffer.add('a', event('2'))
    expect(await buffer.close()).toEqual({ accepted: 1, rejected: 2 })
    expect(server.received).toHaveLength(101)
  })

  test('gives a batch up in time where the clock of the machine is set back meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { server, buffer, rejected } = await buffered(
      (request, n) =>
        n < 100 ? { status: 503, body: refusal('SERVICE_UNAVAILABLE') } : accepted(request),
      {
        wait: async () => {
          vi.advanceTimersByTime(3_600_000)
          vi.setSystemTime(0)
        },
      },
    )
    await buffer.add('a', { type: 'task.completed' })
    await buffer.close()
    expect(server.received).toHaveLength(24)
    expect(rejected.map(({ error }) => error.code)).toEqual(['NOT_DELIVERED'])
  })

  test('returns each event that the service refuses, with the reason', async () => {
    const { buffer, rejected } = await buffered((request) => {
      const data = eventsOf(request).slice(1)
      const errors = [{ index: 0, code: 'CONFLICT', message: 'another', details: {} }]
      return { status: 200, body: { accepted: 1, rejected: 1, errors, data } }
    })
    await buffer.add('a', event('1'))
    await buffer.add('a', event('2'))
    expect(await buffer.close()).toEqual({ accepted: 1, rejected: 1 })
    expect(rejected).toMatchObject([
      { agentId: 'a', event: event('1'), error: { code: 'CONFLICT', message: 'another' } },
    ])
  })

  test('returns all events of a refused request, and continues with the next', async () => {
    const { buffer, rejected } = await buffered((request, n) =>
      n === 0 ? { status: 404, body: refusal('NOT_FOUND') } : accepted(request),
    )
    for (const name of names(150)) {
      await buffer.add('a', event(name))
    }
    expect(await buffer.close()).toEqual({ accepted: 50, rejected: 100 })
    expect(rejected.map(({ event: { externalId } }) => externalId)).toEqual(names(100))
    expect(rejected[0]?.error.code).toBe('NOT_FOUND')
  })

  test('reports the others of a batch that is refused because of one event', async () => {
    const issues = [{ path: 'events.1.data.errorCode', code: 'invalid_text', message: 'NUL' }]
    const { server, buffer, rejected } = await buffered((request) =>
      idsOf(request).includes('6')
        ? { status: 400, body: refusal('VALIDATION_ERROR', 'no', { issues }) }
        : accepted(request),
    )
    for (const name of names(10)) {
      const unwritable = { type: 'payment.completed', data: { amount: 1n }, externalId: name }
      await buffer.add('a', name === '3' ? (unwritable as unknown as EventInput) : event(name))
    }
    expect(await buffer.close()).toEqual({ accepted: 8, rejected: 2 })
    expect(rejected.map(({ event: { externalId }, error }) => [externalId, error.code])).toEqual([
      ['3', 'INVALID_CALL'],
      ['6', 'VALIDATION_ERROR'],
    ])
    const sent = server.received.filter((request) => !idsOf(request).includes('6')).flatMap(idsOf)
    expect(sent).toEqual(['0', '1', '2', '4', '5', '7', '8', '9'])
    const keys = server.received.map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('does not divide a batch that is refused as a whole', async () => {
    const issues = [{ path: 'params.id', code: 'invalid_format', message: 'must be a UUID' }]
    const body = refusal('VALIDATION_ERROR', 'no', { issues })
    const { server, buffer } = await buffered(() => ({ status: 400, body }))
    for (const name of names(4)) {
      await buffer.add('a', event(name))
    }
    expect(await buffer.close()).toEqual({ accepted: 0, rejected: 4 })
    expect(server.received).toHaveLength(1)
  })

  test('reports an event as it was when it was added, on every attempt', async () => {
    const { server, buffer } = await buffered(
      (request, n) =>
        n === 0 ? { status: 503, body: refusal('SERVICE_UNAVAILABLE') } : accepted(request),
      {
        wait: async () => {
          own.externalId = 'later'
        },
      },
    )
    const own = { type: 'task.completed' as const, externalId: 'first' }
    await buffer.add('a', own)
    own.externalId = 'changed'
    await buffer.close()
    expect(server.received.flatMap(idsOf)).toEqual(['first', 'first'])
  })

  test('refuses what is not an event', async () => {
    const { buffer } = await buffered(accepted)
    for (const none of [undefined, null, 'task.completed', { type: () => 'task.completed' }]) {
      const adding = buffer.add('a', none as unknown as EventInput)
      await expect(adding).rejects.toMatchObject({ code: 'INVALID_CALL' })
    }
    expect(buffer.size).toBe(0)
  })

  test('closes in time without an answer, and returns the events it could not deliver', async () => {
    const never: Answer = () => undefined
    const { buffer, rejected } = await buffered(() => never, { closeTimeoutMs: 20, eventsMax: 200 })
    const adding = names(201).map((name) => buffer.add('a', event(name)))
    expect(await buffer.close()).toEqual({ accepted: 0, rejected: 201 })
    await Promise.all(adding)
    expect(new Set(rejected.map(({ error }) => error.code))).toEqual(new Set(['NOT_DELIVERED']))
    expect(new Set(rejected.map(({ event: { externalId } }) => externalId))).toEqual(
      new Set(names(201)),
    )
  })

  test('waits without a limit where its times are infinite', async () => {
    const refusals = 20
    const { server, buffer, rejected } = await buffered(
      (request, n) =>
        n < refusals ? { status: 503, body: refusal('SERVICE_UNAVAILABLE') } : accepted(request),
      {
        flushAfterMs: Number.POSITIVE_INFINITY,
        closeTimeoutMs: Number.POSITIVE_INFINITY,
        wait: async () => undefined,
      },
    )
    await buffer.add('a', event('1'))
    expect(await buffer.close()).toEqual({ accepted: 1, rejected: 0 })
    expect(rejected).toEqual([])
    expect(server.received).toHaveLength(refusals + 1)
  })

  test('refuses events once it is closed, and closes at once if it is empty', async () => {
    const { server, buffer } = await buffered(accepted)
    expect(await buffer.close()).toEqual({ accepted: 0, rejected: 0 })
    await expect(buffer.add('a', event('1'))).rejects.toMatchObject({ code: 'INVALID_CALL' })
    expect(server.received).toHaveLength(0)
  })

  test('cannot be created without a handler for rejected events', async () => {
    const client = (await serve(accepted)).client()
    const none = {} as EventBufferOptions
    expect(() => new EventBuffer(client, none)).toThrow('onRejected is not a function')
  })
})

/** The answer of a service that has room for some events about each agent, and refuses the rest for an hour. */
function limited(room: Record<string, number>) {
  return (request: Received): Answer => {
    const agentId = request.url.split('/')[3] ?? ''
    const events = eventsOf(request)
    const taken = Math.min(events.length, room[agentId] ?? Number.POSITIVE_INFINITY)
    room[agentId] = (room[agentId] ?? Number.POSITIVE_INFINITY) - taken
    const details = { limit: 'events_per_agent_hour', max: 2, retryAfterSeconds: 3_600 }
    const errors = events.slice(taken).map((_, n) => ({
      index: taken + n,
      code: 'RATE_LIMIT_EXCEEDED',
      message: 'at most 2 events',
      details,
    }))
    const data = events.slice(0, taken)
    return { status: 200, body: { accepted: taken, rejected: errors.length, errors, data } }
  }
}

describe('an event buffer at an hourly limit', () => {
  /** A wait that ends when `over` is called, and the waits that were asked for in seconds. */
  function hours() {
    const waits: number[] = []
    let { promise, resolve } = deferred<void>()
    const wait = (ms: number) => {
      waits.push(ms / 1000)
      return promise
    }
    const over = () => {
      resolve()
      ;({ promise, resolve } = deferred<void>())
    }
    return { waits, wait, over }
  }

  const idsRejected = (rejected: readonly RejectedEvent[]) =>
    rejected.map(({ event: { externalId } }) => externalId)

  test('sends refused events again when there is room, in order, and those of other agents meanwhile', async () => {
    const room = { a: 2 }
    const { waits, wait, over } = hours()
    const logged: string[] = []
    const { server, buffer, rejected } = await buffered(limited(room), {
      wait,
      onWait: ({ reason, seconds, path }) => void logged.push(`${reason} ${seconds} ${path}`),
    })
    for (const name of names(5)) {
      await buffer.add('a', event(name))
    }
    await buffer.flush()
    await buffer.add('a', event('5'))
    await buffer.add('b', event('of b'))
    await buffer.flush()
    expect(server.received.map(idsOf)).toEqual([names(5), ['of b']])
    expect([rejected, buffer.size]).toEqual([[], 4])
    expect(waits).toEqual([3_600])
    expect(logged).toEqual(['rate_limit 3600 /v1/agents/a/events/batch'])
    room.a = 10
    over()
    await vi.waitFor(() => expect(buffer.size).toBe(0))
    expect(server.received.slice(2).map(idsOf)).toEqual([['2', '3', '4', '5']])
    expect(await buffer.close()).toEqual({ accepted: 7, rejected: 0 })
    expect(rejected).toEqual([])
  })

  test('keeps so many events at most, and rejects the newest of the agent with the most', async () => {
    const { wait } = hours()
    const { buffer, rejected } = await buffered(limited({ a: 0, b: 0 }), { wait, deferredMax: 4 })
    for (const name of names(3)) {
      await buffer.add('a', event(name))
    }
    await buffer.flush()
    await buffer.add('b', event('of b'))
    await buffer.flush()
    expect(rejected).toEqual([])
    await buffer.add('a', event('3'))
    await buffer.add('b', event('also of b'))
    await buffer.flush()
    expect(idsRejected(rejected)).toEqual(['3', '2'])
    expect(rejected[0]?.error).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      details: { limit: 'events_per_agent_hour', retryAfterSeconds: 3_600 },
    })
    expect(buffer.size).toBe(4)
    await buffer.close()
  })

  test('leaves half of its room to the other agents', async () => {
    const { wait } = hours()
    const { server, buffer, rejected } = await buffered(limited({ a: 0 }), { wait, eventsMax: 100 })
    await Promise.all(names(150).map((name) => buffer.add('a', event(name))))
    await buffer.add('b', event('of b'))
    await buffer.flush()
    expect(server.received.flatMap(idsOf)).toContain('of b')
    expect(idsRejected(rejected).sort()).toEqual(names(150).slice(50).sort())
    await buffer.close()
  })

  test('closes at once, and returns the events for which there is no room until then', async () => {
    const { wait } = hours()
    const { buffer, rejected } = await buffered(limited({ a: 1 }), { wait })
    for (const name of names(3)) {
      await buffer.add('a', event(name))
    }
    await buffer.flush()
    await buffer.add('a', event('3'))
    expect(await buffer.close()).toEqual({ accepted: 1, rejected: 3 })
    expect(idsRejected(rejected)).toEqual(['1', '2', '3'])
    expect(new Set(rejected.map(({ error }) => error.code))).toEqual(
      new Set(['RATE_LIMIT_EXCEEDED']),
    )
  })

  test('waits for room before it closes where its time is infinite', async () => {
    const room = { a: 1 }
    const { server, buffer } = await buffered(limited(room), {
      closeTimeoutMs: Number.POSITIVE_INFINITY,
      wait: async () => {
        room.a = 1
      },
    })
    for (const name of names(3)) {
      await buffer.add('a', event(name))
    }
    expect(await buffer.close()).toEqual({ accepted: 3, rejected: 0 })
    expect(server.received.map(idsOf)).toEqual([['0', '1', '2'], ['1', '2'], ['2']])
  })

  test('rejects what it cannot wait for', async () => {
    const { buffer, rejected } = await buffered(limited({ a: 0 }), {
      wait: () => Promise.reject(new Error('no clock')),
    })
    await buffer.add('a', event('1'))
    await buffer.flush()
    await vi.waitFor(() => expect(idsRejected(rejected)).toEqual(['1']))
    expect(buffer.size).toBe(0)
    await buffer.close()
  })

  test('rejects them at once where none may wait', async () => {
    const { buffer, rejected } = await buffered(limited({ a: 0 }), { deferredMax: 0 })
    await buffer.add('a', event('1'))
    await buffer.add('a', event('2'))
    await buffer.flush()
    expect(idsRejected(rejected)).toEqual(['1', '2'])
    await buffer.close()
  })
})
