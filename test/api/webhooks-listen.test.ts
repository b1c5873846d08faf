import { randomUUID } from 'node:crypto'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../cli/src/run.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { commandIn } from '../support/command.ts'
import { eventually } from '../support/eventually.ts'
import { refusal } from '../support/http.ts'
import { startReceiver } from '../support/receiver.ts'
import { newAgent, newOwner, newPlatform, startService } from '../support/service.ts'

const at = await startService()
const { client: platform } = await newPlatform(at)

const done = (agentId: string) => platform.events.submit(agentId, { type: 'task.completed' })

test('notifications are shown and forwarded, signed, to a receiver on this machine', async () => {
  const receiver = await startReceiver()
  const { agent, owner } = await newAgent(at)
  const lines: string[] = []
  const stop = new AbortController()
  const terminal = {
    env: { STANDING_TOKEN: owner.token },
    say: (line: string) => void lines.push(line),
    stderr: { write: () => {} },
    signal: stop.signal,
  }
  const args = ['--url', at.url, '--forward-to', receiver.url, '--events', 'event.ingested']
  const listening = run(['webhook', 'listen', ...args], terminal)
  await eventually(() => expect(lines).toHaveLength(2))
  receiver.secrets.push(/whsec_\S+/.exec(lines[1] ?? '')?.[0] ?? '')
  const events = [await done(agent.id), await done(agent.id), await done(agent.id)]
  await receiver.until(3)
  expect(receiver.bodies.map(({ data }) => data.eventId)).toEqual(events.map(({ id }) => id))
  expect(receiver.posts.map(receiver.verified)).toEqual([1, 1, 1])
  await eventually(() => expect(lines).toHaveLength(5))
  expect(lines[2]).toMatch(/event\.ingested +evt_[0-9a-f]{32} {2}-> 200 /)
  stop.abort()
  await listening
})

/** A way to the service that breaks off every request with this method while it is set. */
async function wayTo(url: string) {
  const way = { breaks: '', url: '' }
  const server = createServer((req, res) => {
    if (req.method === way.breaks) {
      return req.socket.destroy()
    }
    const { method, headers } = req
    const onward = request(url + req.url, { method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(res)
    })
    onward.on('error', () => res.destroy())
    req.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  way.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return way
}

test('listening goes on if the service is away at the moment of a new subscription', async () => {
  const { agent, owner } = await newAgent(at)
  const way = await wayTo(at.url)
  const lines: string[] = []
  const notes: string[] = []
  const stop = new AbortController()
  const terminal = {
    env: { STANDING_TOKEN: owner.token },
    say: (line: string) => void lines.push(line),
    stderr: { write: (text: string) => void notes.push(text) },
    signal: stop.signal,
  }
  const args = ['--url', way.url, '--events', 'event.ingested']
  const listening = run(['webhook', 'listen', ...args], terminal)
  await eventually(() => expect(lines).toHaveLength(1))
  way.breaks = 'POST'
  const database = createPool({ url: at.database.url }, { max: 1 })
  await database.query('delete from listeners where owner_id = $1', [owner.owner.id])
  await eventually(() => expect(notes.join('')).toContain('The service does not answer'))
  way.breaks = ''
  const there = async () => {
    const { rowCount } = await database.query('select from listeners where owner_id = $1', [
      owner.owner.id,
    ])
    expect(rowCount).toBe(1)
  }
  await eventually(there)
  await database.end()
  await done(agent.id)
  await eventually(() => expect(lines.slice(1).join()).toContain('event.ingested'))
  expect(notes.join('')).toMatch(/lost for too long[\s\S]*does not answer[\s\S]*Connected again/)
  stop.abort()
  expect(await listening).toBe(0)
})

test('a listener gets the notifications after its creation, each once, in order', async () => {
  const { agent, owner } = await newAgent(at)
  await done(agent.id)
  const { webhooks } = owner.client
  const { id } = await webhooks.listen({ events: ['event.ingested'], agentIds: [agent.id] })
  expect(await webhooks.notifications(id)).toEqual({ data: [], nextCursor: null })
  const events: string[] = []
  for (let i = 0; i < 5; i++) {
    events.push((await done(agent.id)).id)
  }
  const received: unknown[] = []
  let cursor: string | undefined
  while (received.length < 5) {
    const page = await webhooks.notifications(id, { cursor, limit: 2, waitSeconds: 5 })
    expect(page.data.length).toBeLessThanOrEqual(2)
    received.push(...page.data.map(({ data }) => 'eventId' in data && data.eventId))
    cursor = page.nextCursor ?? undefined
  }
  expect(received).toEqual(events)
  expect(await webhooks.notifications(id, { cursor })).toEqual({ data: [], nextCursor: cursor })
})

test('a listener reads on behind notifications that it does not ask for, and misses none that it does', async () => {
  const { agent, owner } = await newAgent(at)
  const { webhooks } = owner.client
  await webhooks.listen({ events: ['event.ingested'] })
  const { id } = await webhooks.listen({ events: ['agent.status_changed'] })
  await done(agent.id)
  const behind = await eventually(async () => {
    const { data, nextCursor } = await webhooks.notifications(id)
    expect(data).toEqual([])
    expect(nextCursor).not.toBeNull()
    return nextCursor ?? ''
  })
  await at.operator.operator.setAgentStatus(agent.id, { status: 'suspended', reason: 'seen' })
  const read = { cursor: behind, waitSeconds: 5 }
  const { data, nextCursor } = await eventually(async () => {
    const page = await webhooks.notifications(id, read)
    expect(page.data).toHaveLength(1)
    return page
  })
  expect(data[0]?.type).toBe('agent.status_changed')
  await at.operator.operator.setAgentStatus(agent.id, { status: 'active', reason: 'seen' })
  await done(agent.id)
  const next = await eventually(async () => {
    const page = await webhooks.notifications(id, { cursor: nextCursor ?? '', waitSeconds: 5 })
    expect(page.data).toHaveLength(1)
    return page.data[0]
  })
  expect(next?.data).toMatchObject({ previousStatus: 'suspended' })
})

test('a listener belongs to its owner, and expires when it is not read', async () => {
  const { agent, owner } = await newAgent(at)
  const other = await newOwner(at)
  const { id } = await owner.client.webhooks.listen({ events: ['*'] })
  expect(await refusal(other.client.webhooks.notifications(id))).toMatchObject({
    code: 'FORBIDDEN',
  })
  const unknown = other.client.webhooks.notifications(randomUUID())
  expect(await refusal(unknown)).toMatchObject({ code: 'NOT_FOUND' })
  const theirs = { events: ['*'] as const, agentIds: [agent.id] }
  expect(await refusal(other.client.webhooks.listen(theirs))).toMatchObject({
    code: 'VALIDATION_ERROR',
  })
  for (let i = 0; i < 5; i++) {
    await owner.client.webhooks.listen({ events: ['*'] })
  }
  expect(await refusal(owner.client.webhooks.notifications(id))).toMatchObject({
    code: 'NOT_FOUND',
  })
})

test.each([
  [[], 'Your token is missing'],
  [['--token', 't', '--secret', 'whsec_x'], '--secret is not a webhook secret'],
  [
    ['--token', 't', '--forward-to', 'nowhere'],
    '--forward-to nowhere is not an http or https address',
  ],
  [['--nonsense'], 'no option --nonsense'],
])('listening with %j fails with a sentence that names the option', async (args, words) => {
  const { code, said } = await commandIn({})(['webhook', 'listen', ...args])
  expect(code).toBeGreaterThan(0)
  expect(said).toContain(words)
})
