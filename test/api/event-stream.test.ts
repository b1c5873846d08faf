import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { notify } from '../../src/store/postgres/changes.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { sqlOn } from '../../src/store/postgres/sql.ts'
import { createTestClock } from '../support/clock.ts'
import { type OpenStream, openStream } from '../support/event-stream.ts'
import { newAgent, newOwner, newPlatform, OPERATOR_KEY, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })

const pathTo = (id: string) => `/v1/agents/${id}/events/stream`
const task = { type: 'task.completed', data: { duration: 1_200 } } as const

/** An agent, its owner's token, and a platform that reports about it. */
async function scene() {
  const owner = await newOwner(at)
  const { agent, client } = await newAgent(at, owner)
  const platform = await newPlatform(at)
  const follow = (credential: string, headers = {}, url = at.url) =>
    openStream(url + pathTo(agent.id), credential, headers)
  return { owner, agent, own: client, platform, follow, report: () => report(agent.id, platform) }
}

function report(agentId: string, { client }: Awaited<ReturnType<typeof newPlatform>>) {
  return client.events.submit(agentId, task)
}

async function refusal({ response }: OpenStream) {
  const { error } = (await response.json()) as { error: { code: string; details: object } }
  return { status: response.status, code: error.code, details: error.details }
}

describe('a stream of the events about an agent', () => {
  test('sends each event as it is stored, in the form of the list', async () => {
    const { owner, agent, follow, report } = await scene()
    const stream = await follow(owner.token)
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream')
    const first = await report()
    expect(await stream.next()).toEqual({ event: 'event', id: first.id, data: first })
    const second = await report()
    expect((await stream.next())?.data).toEqual(second)
    expect((await owner.client.events.list(agent.id)).data).toEqual([second, first])
    stream.close()
  })

  test('is followed by the SDK, which continues after an event', async () => {
    const { owner, agent, platform, report } = await scene()
    const { id: after } = await report()
    const follower = owner.client.events.follow(agent.id, { after })
    const second = await report()
    expect(await follower.next()).toEqual({ done: false, value: { type: 'event', event: second } })
    const own = platform.client.events.follow(agent.id, { after })
    expect((await own.next()).value).toEqual({ type: 'event', event: second })
    await Promise.all([follower.return(), own.return()])
    const stranger = await newOwner(at)
    const refused = stranger.client.events.follow(agent.id).next()
    await expect(refused).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  test('continues after the last event that the client names, oldest first', async () => {
    const { owner, follow, report } = await scene()
    const events = [await report(), await report(), await report()]
    const stream = await follow(owner.token, { 'last-event-id': events[0]?.id })
    expect([(await stream.next())?.id, (await stream.next())?.id]).toEqual([
      events[1]?.id,
      events[2]?.id,
    ])
    stream.close()
  })

  test('says that events can be missing if it does not know the last one', async () => {
    const { owner, follow } = await scene()
    const { agent: other } = await newAgent(at)
    const elsewhere = await newPlatform(at)
    const foreign = await elsewhere.client.events.submit(other.id, task)
    for (const last of [foreign.id, 'no id at all']) {
      const stream = await follow(owner.token, { 'last-event-id': last })
      expect((await stream.next())?.event).toBe('gap')
      stream.close()
    }
  })

  test('says that events are missing when more arrived than it reads at a time', async () => {
    const { owner, agent, platform, follow, report } = await scene()
    const { id } = await report()
    const tasks = Array.from({ length: 99 }, () => task)
    expect(await platform.client.events.report(agent.id, tasks)).toMatchObject({ accepted: 99 })
    const complete = await follow(owner.token, { 'last-event-id': id })
    expect((await complete.next())?.event).toBe('event')
    complete.close()
    const other = await newPlatform(at)
    await other.client.events.report(agent.id, [task, task])
    const cut = await follow(owner.token, { 'last-event-id': id })
    expect((await cut.next())?.event).toBe('gap')
    cut.close()
  })

  test('says that the score can have changed when a review is decided', async () => {
    const { owner, agent, platform, follow } = await scene()
    const held = await platform.client.events.submit(agent.id, {
      type: 'task.completed',
      data: { success: false },
    })
    expect(held.isQuarantined).toBe(true)
    const stream = await follow(owner.token)
    const input = { decision: 'released', reason: 'It was checked.' } as const
    await at.operator.operator.review(held.id, input)
    expect(await stream.next()).toEqual({ event: 'changed', id: undefined, data: {} })
    stream.close()
  })

  test('sends events that another node stored', async () => {
    const { owner, follow, report } = await scene()
    const node = await at.node()
    const stream = await follow(owner.token, {}, node.url)
    const { id } = await report()
    expect((await stream.next())?.id).toBe(id)
    stream.close()
  })
})

describe('a stream is available to', () => {
  test('the agent, its owner and the operator with all events, and a platform with its own', async () => {
    const { owner, agent, platform, follow, report: one } = await scene()
    const other = await newPlatform(at)
    const all = await Promise.all([owner.token, agent.apiKey, OPERATOR_KEY].map((c) => follow(c)))
    const own = await follow(other.platform.apiKey)
    const event = await one()
    for (const stream of all) {
      expect((await stream.next())?.id).toBe(event.id)
    }
    // Of the report of another platform it gets no more than that.
    expect((await own.next())?.event).toBe('changed')
    const theirs = await report(agent.id, other)
    expect((await own.next())?.id).toBe(theirs.id)
    expect(platform.platform.id).not.toBe(theirs.reporter.id)
    for (const stream of [...all, own]) {
      stream.close()
    }
  })

  test('no other caller', async () => {
    const { follow } = await scene()
    const stranger = await newOwner(at)
    expect(await refusal(await follow(stranger.token))).toMatchObject({ status: 403 })
    const { agent } = await newAgent(at)
    expect(await refusal(await follow(agent.apiKey))).toMatchObject({ status: 403 })
  })

  test('at most twenty clients of an account, and to another one when one has ended', async () => {
    const { owner, follow, report } = await scene()
    const streams = await Promise.all(Array.from({ length: 20 }, () => follow(owner.token)))
    const refused = await follow(owner.token)
    expect(refused.response.headers.get('retry-after')).toBe('2')
    expect(await refusal(refused)).toMatchObject({
      status: 429,
      code: 'RATE_LIMIT_EXCEEDED',
      details: { limit: 'event_streams', max: 20 },
    })
    streams[0]?.close()
    await expect.poll(async () => (await follow(owner.token)).response.status).toBe(200)
    const { id } = await report()
    expect((await streams[1]?.next())?.id).toBe(id)
    for (const stream of streams) {
      stream.close()
    }
  })
})

test('twenty streams of one agent read each event together, not twenty times', async () => {
  const { owner, agent, follow, report } = await scene()
  const streams = await Promise.all(Array.from({ length: 20 }, () => follow(owner.token)))
  await report()
  const [first] = await Promise.all(streams.map((stream) => stream.next()))
  const query = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => query.mockRestore())
  const reads = () =>
    query.mock.calls.filter((call) => {
      const { text = '', values = [] } = call[0] as unknown as { text?: string; values?: unknown[] }
      return /from events\s+where agent_id = \$1/.test(text) && values[0] === agent.id
    }).length
  // A stream that has just read pauses before it reads again, and then reads for itself.
  await expect
    .poll(
      async () => {
        const before = reads()
        const { id } = await report()
        const received = await Promise.all(streams.map((stream) => stream.next()))
        expect(received.map((message) => message?.id)).toEqual(streams.map(() => id))
        return reads() - before
      },
      { timeout: 60_000, interval: 1_000 },
    )
    .toBeLessThan(5)
  expect(first?.event).toBe('event')
  for (const stream of streams) {
    stream.close()
  }
})

describe('a stream ends', () => {
  test('when its credential is revoked', async () => {
    const { owner, follow } = await scene()
    const key = await owner.client.keys.create({ name: 'watcher', scopes: ['read'] })
    const stream = await follow(key.apiKey)
    await owner.client.keys.revoke(key.id)
    expect(await stream.next()).toBeNull()
    expect(await refusal(await follow(key.apiKey))).toMatchObject({ status: 401 })
  })

  test('when its session is ended', async () => {
    const { owner, follow } = await scene()
    const stream = await follow(owner.token)
    const { data: sessions } = await owner.client.auth.sessions()
    await owner.client.auth.endSession(sessions[0]?.id ?? '')
    expect(await stream.next()).toBeNull()
    expect(await refusal(await follow(owner.token))).toMatchObject({ status: 401 })
  })

  test('when its credential expires: a replaced key, and the token of a sign-in', async () => {
    const clock = createTestClock('2026-06-15T11:00:00.000Z')
    const own = await startService({}, { now: clock.now })
    const { owner, agent } = await newAgent(own)
    await owner.client.agents.rotateKey(agent.id, { overlapSeconds: 60 })
    const open = (credential: string) => openStream(own.url + pathTo(agent.id), credential)
    const [replaced, signedIn] = [await open(agent.apiKey), await open(owner.token)]
    expect(replaced.response.status).toBe(200)
    clock.move(60_000)
    expect(await replaced.next()).toBeNull()
    expect((await open(owner.token)).response.status).toBe(200)
    clock.move(86_400_000)
    expect(await signedIn.next()).toBeNull()
  })

  test('on a node that other nodes do not notify, when its key or its owner has changed', async () => {
    const { owner, agent, follow } = await scene()
    const node = await at.node({ STANDING_NOTIFY: 'off' })
    const key = await owner.client.keys.create({ name: 'watcher', scopes: ['read'] })
    const stream = await follow(key.apiKey, {}, node.url)
    const kept = await follow(agent.apiKey, {}, node.url)
    const token = await follow(owner.token, {}, node.url)
    await owner.client.keys.revoke(key.id)
    expect(await stream.next()).toBeNull()
    const buyer = await newOwner(at)
    const { id } = await owner.client.transfers.offer(agent.id, { toOwnerId: buyer.owner.id })
    await buyer.client.transfers.accept(id)
    expect(await token.next()).toBeNull()
    expect(await kept.next()).toBeNull()
  })

  test('when its node shuts down, which does not wait for the client', async () => {
    const { owner, follow } = await scene()
    const node = await at.node()
    const stream = await follow(owner.token, {}, node.url)
    const [last] = await Promise.all([stream.next(), node.close()])
    expect(last).toBeNull()
  })
})

test('a stream whose events cannot be read ends, and the log says why', async () => {
  const lines: string[] = []
  const own = await startService(
    { LOG_LEVEL: 'warn' },
    {},
    { write: (line) => void lines.push(line) },
  )
  const { agent, owner } = await newAgent(own)
  const stream = await openStream(own.url + pathTo(agent.id), owner.token)
  const { client } = await newPlatform(own)
  await client.events.submit(agent.id, task)
  expect(await stream.next()).toMatchObject({ event: 'event' })
  const pool = createPool({ url: own.database.url }, { max: 1 })
  onTestFinished(() => pool.end())
  await pool.query('alter table events rename to events_away')
  await notify(sqlOn(pool), 'another-node', { kind: 'scores', ids: [agent.id] })
  expect(await stream.next()).toBeNull()
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(logged).toContainEqual(
    expect.objectContaining({
      agentId: agent.id,
      msg: 'a stream of events ended, because they cannot be read',
    }),
  )
})
