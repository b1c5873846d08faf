import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { startProxy } from '../../lab/torture/proxy.ts'
import { httpReceiver } from '../../src/outbound/testing/receiver.ts'
import { commandIn } from '../../test/support/command.ts'
import { eventually } from '../../test/support/eventually.ts'
import {
  newAgent,
  newOwner,
  newPlatform,
  OPERATOR_KEY,
  PASSWORD,
  startService,
} from '../../test/support/service.ts'
import { run } from './run.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const home = await mkdtemp(join(tmpdir(), 'standing-commands-'))
afterAll(() => rm(home, { recursive: true }))

const typed = commandIn({ STANDING_URL: at.url })
const asOperator = commandIn({ STANDING_URL: at.url, STANDING_OPERATOR_KEY: OPERATOR_KEY })

const json = async (line: string, env: Readonly<Record<string, string>>) => {
  const { code, said, out } = await typed(`${line} --json`, env)
  expect(code, said).toBe(0)
  return JSON.parse(out)
}

const linesOf = (out: string) => out.split('\n').map((line) => JSON.parse(line))

describe('agents, events and scores', () => {
  test('an owner registers an agent, a platform reports on it, and anyone reads the score', async () => {
    const { token } = await newOwner(at)
    const { platform } = await newPlatform(at)
    const owner = { STANDING_TOKEN: token }
    const agent = await json(`agent create invoice-bot --metadata '{"team":"billing"}'`, owner)
    expect(agent.apiKey).toMatch(/^avs_/)
    const reporter = { STANDING_API_KEY: platform.apiKey }
    const send = `event send ${agent.id} task.completed '{"duration":900}' --external-id job-1`
    const first = await json(send, reporter)
    expect(first).toMatchObject({ type: 'task.completed', data: { duration: 900 } })
    expect((await json(send, reporter)).id).toBe(first.id)
    await json(
      `event send ${agent.id} payment.late '{"amount":4,"currency":"EUR","daysLate":2}'`,
      reporter,
    )
    const score = await json(`score get ${agent.id}`, {})
    expect(score).toMatchObject({ agentId: agent.id, eventCount: 2 })
    expect((await typed(`score get ${agent.id}`)).out).toMatch(
      new RegExp(
        `^${score.score} of 1000, untrusted, .*\nlow confidence, 2 events: 2 by platforms`,
      ),
    )
    const tried = await json('agent create tried --test', owner)
    expect(tried).toMatchObject({ mode: 'test', apiKey: expect.stringMatching(/^avs_test_/) })
    const test = await json('test-data platform trial', owner)
    const trial = { STANDING_API_KEY: test.apiKey }
    await json(`event send ${tried.id} task.completed`, trial)
    expect(await json(`score get ${tried.id}`, trial)).toMatchObject({ eventCount: 1 })
    expect((await json('agent list --test', owner)).id).toBe(tried.id)
    expect(await typed(`score get ${agent.id} --test`)).toMatchObject({
      code: 4,
      said: expect.stringMatching(/^test data is read with a test key, or with an owner's token/),
    })
    expect((await typed('test-data delete', owner)).code).not.toBe(0)
    expect(await json('test-data delete --yes', owner)).toEqual({
      agents: 1,
      platforms: 1,
      webhooks: 0,
    })
    const explained = await json(`score explain ${agent.id}`, {})
    expect((await typed(`score explain ${agent.id}`)).out).toContain(explained.reasons[0].sentence)
    const { out } = await typed(`score history ${agent.id} --limit 1 --json`)
    expect(linesOf(out)).toHaveLength(1)
    const tail = await typed(`event tail ${agent.id} --json`, { STANDING_API_KEY: agent.apiKey })
    expect(linesOf(tail.out).map(({ type }) => type)).toEqual(['task.completed', 'payment.late'])
    const all = { ...owner, ...reporter }
    expect(await json(`agent get ${agent.id}`, all)).toMatchObject({ id: agent.id })
    const own = await typed('event tail --last 1', { STANDING_API_KEY: agent.apiKey })
    expect(own.out).toMatch(/payment\.late/)
    const many = await typed('event tail --last 101', { STANDING_API_KEY: agent.apiKey })
    expect(many).toMatchObject({ code: 2, out: '' })
    expect(many.said).toContain('--last must be a whole number from 1 to 100, not 101.')
    expect((await typed('agent get', { STANDING_API_KEY: agent.apiKey })).out).toMatch(
      /invoice-bot\nteam: "billing"\nkey created 20[^ ]+Z, (never|last) used/,
    )
    expect((await typed(`agent update ${agent.id} --name ledger`, owner)).out).toMatch(/ledger/)
    expect((await typed('agent list', owner)).out).toContain('ledger')
    const rotated = await json(`agent rotate ${agent.id} --overlap 0`, owner)
    expect((await typed('agent get', { STANDING_API_KEY: agent.apiKey })).code).toBe(4)
    expect((await typed('agent get', { STANDING_API_KEY: rotated.apiKey })).code).toBe(0)
    expect((await typed(`agent deactivate ${agent.id}`, owner)).code).toBe(2)
    expect((await typed(`agent deactivate ${agent.id} --yes`, owner)).out).toContain('deactivated')
    // The key allows it; the state of the agent does not.
    expect(await typed(send, reporter)).toMatchObject({
      code: 1,
      said: expect.stringContaining('this agent is deactivated'),
    })
    expect((await typed(send, { STANDING_API_KEY: OPERATOR_KEY })).code).toBe(4)
    const pages = { STANDING_TOKEN: (await json('key create pages --scopes read', owner)).apiKey }
    expect((await typed('agent create no', pages)).code).toBe(4)
  })

  test('an agent is registered to act for a parent agent, and is listed under it', async () => {
    const { token } = await newOwner(at)
    const owner = { STANDING_TOKEN: token }
    const parent = await json('agent create desk', owner)
    const child = await json(`agent create finder --parent ${parent.id}`, owner)
    expect(child).toMatchObject({ parentId: parent.id })
    expect((await json(`agent list --parent ${parent.id}`, owner)).id).toBe(child.id)
    expect((await typed(`agent list --parent ${child.id}`, owner)).out).toBe('')
    const unknown = await typed(`agent create lost --parent ${randomUUID()}`, owner)
    expect(unknown.code).not.toBe(0)
    expect(unknown.said).toContain('parentId: must be an agent of this account')
  })

  test('a wrong event is refused with the field’s name; data that is not JSON is refused before anything is sent', async () => {
    const { agent } = await newAgent(at)
    const { platform } = await newPlatform(at)
    const env = { STANDING_API_KEY: platform.apiKey }
    const refused = await typed(`event send ${agent.id} task.done '{}'`, env)
    expect(refused).toMatchObject({
      code: 1,
      said: expect.stringMatching(/VALIDATION_ERROR: type/),
    })
    const words = await typed(`event send ${agent.id} task.completed duration=9`, env)
    expect(words).toMatchObject({
      code: 2,
      said: expect.stringMatching(/DATA must be a JSON object/),
    })
    expect((await typed(`event send ${agent.id} task.completed`)).code).toBe(4)
  })

  test('--follow shows new events in order and once, even after the connection broke', async () => {
    const { agent } = await newAgent(at)
    const { client, platform } = await newPlatform(at)
    await client.events.submit(agent.id, { type: 'task.completed' })
    const proxy = await startProxy({ port: Number(new URL(at.url).port), host: '127.0.0.1' })
    const stop = new AbortController()
    const out: string[] = []
    const following = run(['event', 'tail', agent.id, '--follow', '--json'], {
      env: { STANDING_URL: `http://127.0.0.1:${proxy.port}`, STANDING_API_KEY: platform.apiKey },
      say: (line) => void out.push(line),
      stderr: { write: () => undefined },
      signal: stop.signal,
    })
    await eventually(() => expect(out).toHaveLength(1))
    proxy.refuse()
    await client.events.submit(agent.id, { type: 'task.failed' })
    await client.events.submit(agent.id, { type: 'task.timeout' })
    proxy.heal()
    await eventually(() => expect(out).toHaveLength(3))
    stop.abort()
    expect(await following).toBe(0)
    expect(out.map((line) => JSON.parse(line).type)).toEqual([
      'task.completed',
      'task.failed',
      'task.timeout',
    ])
    await proxy.close()
  })
})

test('event tail --follow says once that the service is unavailable, and once that it is back', async () => {
  const { agent } = await newAgent(at)
  const { client, platform } = await newPlatform(at)
  await client.events.submit(agent.id, { type: 'task.completed' })
  const port = Number(new URL(at.url).port)
  const proxy = await startProxy({ port, host: '127.0.0.1' })
  let attempts = 0
  const closed = createServer((socket) => {
    attempts += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const stop = new AbortController()
  const out: string[] = []
  const notes: string[] = []
  const following = run(['event', 'tail', agent.id, '--follow'], {
    env: { STANDING_URL: `http://127.0.0.1:${proxy.port}`, STANDING_API_KEY: platform.apiKey },
    say: (line) => void out.push(line),
    stderr: { write: (text) => void notes.push(text) },
    signal: stop.signal,
  })
  await eventually(() => expect(out).toHaveLength(1))
  proxy.leadTo({ port: (closed.address() as AddressInfo).port, host: '127.0.0.1' })
  proxy.cut()
  // Each look tries twice.
  await eventually(() => expect(attempts).toBeGreaterThan(4))
  proxy.leadTo({ port, host: '127.0.0.1' })
  await eventually(() => expect(notes.at(-1)).toBe('Connected again.\n'))
  stop.abort()
  expect(await following).toBe(0)
  expect(notes).toEqual([
    expect.stringMatching(/^The service does not answer \(.*\)\. Trying again until it does\.\n$/),
    'Connected again.\n',
  ])
  await proxy.close()
  closed.close()
})

describe('a name with control characters', () => {
  // Clears the screen, sets the title, begins a sequence in one character, erases the line, turns the text around,
  // colours the text, and ends the line.
  const displayName = 'bot\u001b[2J\u001b]0;title\u0007\u009b1A\r\u202etxet\u001b[31m\nallow\tbot'
  const shown =
    'bot\\u001b[2J\\u001b]0;title\\u0007\\u009b1A\\u000d\\u202etxet\\u001b[31m\\u000aallow\\u0009bot'
  const id = '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'

  /** The service refuses such a name, so another server sends it. */
  async function answering(status: number, body: object) {
    const server = await httpReceiver((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    })
    onTestFinished(server.close)
    return { STANDING_URL: `http://127.0.0.1:${server.port}`, STANDING_TOKEN: 'x' }
  }

  test('is shown in one line with each of them as JSON writes it, as text and as JSON', async () => {
    const agents = await answering(200, {
      data: [{ id, status: 'active', displayName }],
      nextCursor: null,
    })
    const listed = await typed('agent list', agents)
    expect(listed.out).toBe(`${id}  active       ${shown}`)
    const { out } = await typed('agent list --json', agents)
    expect(out).not.toMatch(/[^\P{Cc}\n]|\u202e/u)
    expect(JSON.parse(out)).toMatchObject({ displayName })
  })

  test('does not make a decision look like two', async () => {
    const decision = { createdAt: '2026-11-28T15:00:00.000Z', decision: 'deny', reasons: [] }
    const decisions = await answering(200, {
      data: [{ ...decision, agent: { displayName } }],
      nextCursor: null,
    })
    const { out } = await typed('decision list', { ...decisions, STANDING_API_KEY: 'avp_x' })
    expect(out).toBe(`2026-11-28T15:00:00.000Z deny ${shown}:`)
  })

  test('is not coloured on a terminal that shows colours', async () => {
    const agents = await answering(200, {
      data: [{ id, status: 'active', displayName }],
      nextCursor: null,
    })
    const said: string[] = []
    const terminal = { env: agents, hasColour: true, stderr: { write: () => true } }
    await run(['agent', 'list'], { ...terminal, say: (line) => void said.push(line) })
    expect(said).toEqual([`${id}  active       ${shown}`])
  })

  test('is shown so in the errors of a server that sends it', async () => {
    const error = { code: 'FORBIDDEN', message: displayName }
    const refusing = await answering(403, { error })
    expect((await typed('agent list', refusing)).said).toBe(`FORBIDDEN: ${shown}`)
  })
})

test('an error of several fields has a line for each, by the names of the fields', async () => {
  const { token } = await newOwner(at)
  const long = 'a'.repeat(101)
  const owner = { STANDING_TOKEN: token }
  const { said } = await typed(`agent create ${long} --parent nobody`, owner)
  expect(said).toMatch(
    /^VALIDATION_ERROR: displayName: must have at most 100 characters\n {2}parentId: must be a UUID \(request .*\)$/,
  )
  expect((await typed('agent get nobody', { STANDING_API_KEY: token })).said).toMatch(
    /^VALIDATION_ERROR: id: must be a UUID/,
  )
})

describe('an option that the command does not have', () => {
  test.each([
    ['agent get x --token t', '--token. The command takes --key KEY: an API key or token'],
    ['agent list --key k', "--key. The command takes --token TOKEN: an owner's token"],
    ['owner list --key k', '--key. The command takes --operator-key avo_…: the operator'],
    [
      `event send x task.completed --data '{}'`,
      '--data. DATA is word 3 after the command: standing event send AGENT_ID TYPE [DATA]',
    ],
  ])('is answered with what it has: %s', async (line, hint) => {
    const { code, said } = await typed(line)
    expect(code).toBe(2)
    expect(said).toContain(`There is no option ${hint}`)
  })
})

describe('reviews', () => {
  async function quarantined(count: number) {
    const { agent } = await newAgent(at)
    const { client } = await newPlatform(at)
    const ids: string[] = []
    for (let i = 0; i < count; i++) {
      const wrong = { type: 'task.completed', data: { success: false, duration: i } } as const
      ids.push((await client.events.submit(agent.id, wrong)).id)
    }
    return { agent, ids }
  }

  test('are listed, shown, released and upheld', async () => {
    const { agent, ids } = await quarantined(2)
    const [first = '', second = ''] = ids
    const listed = await asOperator(`review list --agent ${agent.id}`)
    expect(listed.out.split('\n')).toHaveLength(2)
    expect(listed.out).toContain('contradictory_data')
    const shown = await asOperator(`review get ${first}`)
    expect(shown.out).toMatch(/contradictory_data \((low|medium|high)\): /)
    expect((await asOperator(`review release ${first}`)).code).toBe(2)
    expect(await asOperator(`review release ${first} --reason confirmed`)).toMatchObject({
      code: 0,
      out: `${first} is released`,
    })
    const upheld = await asOperator(`review uphold ${second} --reason wrong --json`)
    expect(JSON.parse(upheld.out)).toMatchObject({ review: { status: 'upheld' } })
    expect((await asOperator(`review get ${first}`)).code).toBe(1)
  })

  test('matching a filter are decided together; without a filter they are never decided all at once', async () => {
    const { agent } = await quarantined(3)
    expect((await asOperator('review release --all --reason x')).code).toBe(2)
    const { out } = await asOperator(`review release --all --agent ${agent.id} --reason fine`)
    expect(out).toBe('3 events are released')
  })
})

test('platforms are listed, changed, suspended, and get new keys', async () => {
  const { platform, client } = await newPlatform(at)
  const { agent } = await newAgent(at)
  expect((await asOperator('platform list')).out).toContain(platform.id)
  expect((await asOperator(`platform update ${platform.id}`)).code).toBe(2)
  expect((await asOperator(`platform update ${platform.id} --name Bazaar --verified`)).out).toMatch(
    /verified +Bazaar {2}key created 20[^ ]+Z, never used$/,
  )
  expect((await asOperator(`platform suspend ${platform.id}`)).out).toMatch(/is now suspended$/)
  const report = () => client.events.submit(agent.id, { type: 'task.completed' })
  await expect(report()).rejects.toMatchObject({
    status: 403,
    details: { reason: 'platform_suspended' },
  })
  expect((await asOperator(`platform activate ${platform.id}`)).code).toBe(0)
  await report()
  const { said: kept } = await asOperator(`platform rotate ${platform.id} --overlap 60`)
  expect(kept).toMatch(/The previous one works until 20\S+Z\.$/)
  expect((await asOperator('platform list')).out).toMatch(
    /Bazaar( {2}key created 20[^ ]+Z, never used){2}, works until 20[^ ]+Z$/m,
  )
  const { out, said } = await asOperator(`platform rotate ${platform.id} --overlap 0`)
  expect(said).toMatch(/The previous one no longer works\.$/)
  await expect(report()).rejects.toMatchObject({ status: 401 })
  expect((await asOperator('platform list')).out).toMatch(
    /Bazaar {2}key created 20[^ ]+Z, never used( {2}key created 20[^ ]+Z, never used, ended at 20[^ ]+Z){2}$/m,
  )
  await client.with({ apiKey: out }).events.submit(agent.id, { type: 'task.completed' })
  expect((await asOperator('owner list --limit 1')).out.split('\n')).toHaveLength(1)
})

test('the reports of a platform are discarded with a reason, and only with --yes where there is no terminal', async () => {
  const { platform, client } = await newPlatform(at)
  const { agent } = await newAgent(at)
  await client.events.submit(agent.id, { type: 'task.completed' })
  const discard = `platform discard ${platform.id}`
  expect((await asOperator(`${discard} --yes`)).said).toContain('--reason')
  expect(await asOperator(`${discard} --reason "It leaked."`)).toMatchObject({
    code: 2,
    said: expect.stringContaining(
      "the owner's other platforms have reported, permanently. Add --yes to do it.",
    ),
  })
  const { out } = await asOperator(`${discard} --reason "It leaked." --yes`)
  expect(out).toBe(
    `the reports of platform ${platform.id} are being discarded; platform list shows how far it is`,
  )
  await eventually(async () => {
    const line = (await asOperator('platform list')).out
      .split('\n')
      .find((one) => one.startsWith(platform.id))
    expect(line).toMatch(/reports on 1 agent discarded at 20\d\d-.*Z$/)
  })
  expect((await typed(`score get ${agent.id}`)).out).toContain(
    '2 events: 1 by platforms, 0 self-reported, 1 by the service, 0 quarantined',
  )
})

test('the operator suspends an agent with a reason, and activates it again', async () => {
  const { agent } = await newAgent(at)
  expect((await asOperator(`agent suspend ${agent.id}`)).code).toBe(2)
  expect((await asOperator(`agent suspend ${agent.id} --reason x`)).out).toContain('suspended')
  expect((await asOperator(`agent activate ${agent.id} --reason y`)).out).toContain('active')
})

describe('an agent that changes owners', () => {
  const heldBy = (token: string) => ({ STANDING_TOKEN: token })

  test('is offered, listed by both accounts, and accepted with a new key', async () => {
    const { agent, owner } = await newAgent(at)
    const next = await newOwner(at)
    const offer = `agent transfer ${agent.id}`
    expect(await typed(offer, heldBy(owner.token))).toMatchObject({
      code: 2,
      said: expect.stringMatching(/^--to is missing/),
    })
    const { id } = await json(`${offer} --to ${next.email}`, heldBy(owner.token))
    for (const { token } of [owner, next]) {
      const { out } = await typed('transfer list', heldBy(token))
      expect(out).toMatch(new RegExp(`^${id} +pending +${agent.id} `))
    }
    const mine = await typed(`transfer accept ${id}`, heldBy(owner.token))
    expect(mine.code).not.toBe(0)
    const { code, out, said } = await typed(`transfer accept ${id}`, heldBy(next.token))
    expect(code, said).toBe(0)
    expect(said).toContain('The key is not shown again.')
    const apiKey = /avs_\w+/.exec(out)?.[0] ?? ''
    expect(await json('agent get', { STANDING_API_KEY: apiKey })).toMatchObject({ id: agent.id })
    expect((await typed('agent get', { STANDING_API_KEY: agent.apiKey })).code).toBe(4)
    expect((await json('agent list', heldBy(next.token))).id).toBe(agent.id)
    expect((await typed('agent list', heldBy(owner.token))).out).toBe('')
  })

  test('stays with its owner when the offer is declined or withdrawn', async () => {
    const { agent, owner } = await newAgent(at)
    const next = await newOwner(at)
    const offer = `agent transfer ${agent.id} --to ${next.owner.id}`
    const declined = await json(offer, heldBy(owner.token))
    expect((await typed(`transfer decline ${declined.id}`, heldBy(next.token))).out).toContain(
      'declined',
    )
    const withdrawn = await json(offer, heldBy(owner.token))
    expect((await typed(`transfer withdraw ${withdrawn.id}`, heldBy(owner.token))).out).toContain(
      'withdrawn',
    )
    expect((await typed(`transfer accept ${withdrawn.id}`, heldBy(next.token))).code).toBe(1)
    expect((await json('agent list', heldBy(owner.token))).id).toBe(agent.id)
    const [last] = linesOf((await typed('transfer list --limit 1 --json', heldBy(owner.token))).out)
    expect(last).toMatchObject({ id: withdrawn.id, status: 'withdrawn' })
  })

  test('is replaced by a successor with its record and a new key', async () => {
    const { agent, owner } = await newAgent(at)
    const { client } = await newPlatform(at)
    await client.events.submit(agent.id, { type: 'task.failed' })
    const replace = `agent replace ${agent.id} --name translator-2`
    const unsure = await typed(replace, heldBy(owner.token))
    expect(unsure).toMatchObject({ code: 2, said: expect.stringContaining('--yes') })
    expect((await json(`agent get ${agent.id}`, heldBy(owner.token))).status).toBe('active')
    const next = await json(`${replace} --yes`, heldBy(owner.token))
    expect(next).toMatchObject({ displayName: 'translator-2', predecessorId: agent.id })
    expect(await json('agent get', { STANDING_API_KEY: next.apiKey })).toMatchObject({
      id: next.id,
    })
    const { out } = await typed(`event tail ${next.id}`, heldBy(owner.token))
    expect(out).toContain('agent.succeeded')
    const found = await typed(`event tail ${next.id} --type agent.succeeded`, heldBy(owner.token))
    expect(found).toMatchObject({ code: 0, out: expect.stringContaining('agent.succeeded') })
    const old = await json(`agent get ${agent.id}`, heldBy(owner.token))
    expect(old.status).toBe('deactivated')
  })
})

test('credentials are issued, listed, verified by id and from a file, and revoked', async () => {
  const { agent, owner } = await newAgent(at)
  const env = { STANDING_TOKEN: owner.token }
  const { id, jwt } = await json(`credential issue ${agent.id} Audit '{"grade":"A"}'`, env)
  expect((await typed(`credential list ${agent.id}`, env)).out).toContain(id)
  expect((await typed(`credential get ${id}`)).out).toContain('"grade": "A"')
  const file = join(home, 'audit.jwt')
  await writeFile(file, `${jwt}\n`)
  for (const given of [id, jwt, file]) {
    expect(await typed(['credential', 'verify', given])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^valid/),
    })
  }
  expect(await typed('credential verify misspelt.jwt')).toMatchObject({
    code: 1,
    said: expect.stringMatching(/^misspelt\.jwt cannot be read: there is no such file\./),
  })
  expect(await typed('credential verify misspelt')).toMatchObject({
    code: 1,
    said: expect.stringMatching(/^misspelt cannot be read: there is no such file\./),
  })
  expect((await typed(`credential revoke ${id} --reason withdrawn --yes`, env)).out).toMatch(
    /revoked/,
  )
  expect(await typed(`credential verify ${id}`)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^NOT valid: revoked/),
  })
})

test('webhook listen continues after the service was unavailable for a while', async () => {
  const { agent, owner } = await newAgent(at)
  const { client } = await newPlatform(at)
  const proxy = await startProxy({ port: Number(new URL(at.url).port), host: '127.0.0.1' })
  const stop = new AbortController()
  const out: string[] = []
  const notes: string[] = []
  const listening = run(['webhook', 'listen', '--json', '--events', 'event.ingested'], {
    env: { STANDING_URL: `http://127.0.0.1:${proxy.port}`, STANDING_TOKEN: owner.token },
    say: (line) => void out.push(line),
    stderr: { write: (text) => void notes.push(text) },
    signal: stop.signal,
  })
  await eventually(() => expect(notes.join('')).toContain('Listening to'))
  await client.events.submit(agent.id, { type: 'task.completed' })
  await eventually(() => expect(out).toHaveLength(1))
  proxy.refuse()
  await client.events.submit(agent.id, { type: 'task.failed' })
  proxy.heal()
  await eventually(() => expect(out).toHaveLength(2))
  stop.abort()
  expect(await listening).toBe(0)
  expect(out.map((line) => JSON.parse(line).data.type)).toEqual(['task.completed', 'task.failed'])
  await proxy.close()
})

test('webhooks are created, tested, listed and deleted', async () => {
  const { token } = await newOwner(at)
  const env = { STANDING_TOKEN: token }
  const { id, secret } = await json(
    'webhook create http://127.0.0.1:1025/a --events score.changed',
    env,
  )
  expect(secret).toMatch(/^whsec_/)
  expect((await typed('webhook list', env)).out).toContain('score.changed')
  const chat = await json('webhook create http://127.0.0.1:1025/b --format slack', env)
  expect(chat.format).toBe('slack')
  await typed(`webhook delete ${chat.id}`, env)
  expect((await typed(`webhook test ${id}`, env)).out).toMatch(/^queued: .*webhook\.test/)
  expect((await typed(`webhook deliveries ${id}`, env)).out).toContain('webhook.test')
  expect((await typed(`webhook delete ${id}`, env)).code).toBe(0)
  expect((await typed('webhook list', env)).out).toBe('')
})

test('an owner and a platform watch agents of others, each for its own account', async () => {
  const { agent } = await newAgent(at)
  const { token } = await newOwner(at)
  const { apiKey } = (await newPlatform(at)).platform
  for (const env of [{ STANDING_TOKEN: token }, { STANDING_API_KEY: apiKey }]) {
    expect(await typed('watch list', env)).toMatchObject({ code: 0, out: '' })
    expect(await json(`watch add ${agent.id}`, env)).toMatchObject({ agentId: agent.id })
    expect((await typed('watch list', env)).out).toContain(agent.id)
    expect(await typed(`watch remove ${agent.id}`, env)).toMatchObject({ code: 0 })
    expect((await typed('watch list', env)).out).toBe('')
  }
  expect((await typed(`watch add ${agent.id}`)).code).toBe(4)
})

test('a platform stores, tests, shows and deletes a mapping', async () => {
  const { agent } = await newAgent(at)
  const { apiKey } = (await newPlatform(at)).platform
  const env = { STANDING_API_KEY: apiKey }
  const example = await readFile('examples/mappings/uptime-kuma.json', 'utf8')
  const mapping = JSON.parse(example.replaceAll('shop.example.com', agent.id))
  const stored = join(home, 'mapping.json')
  const payload = join(home, 'payload.json')
  await writeFile(stored, JSON.stringify(mapping))
  const { sample } = mapping
  const time = new Date(Date.now() - 60_000).toISOString().replace('T', ' ').replace('Z', '')
  await writeFile(payload, JSON.stringify({ ...sample, heartbeat: { ...sample.heartbeat, time } }))
  // Before it is stored, by the file alone.
  const tried = await typed(`mapping test kuma ${payload} --file ${stored}`, env)
  expect(tried).toMatchObject({ code: 0, out: expect.stringContaining(`about agent ${agent.id}`) })
  expect((await typed('mapping list', env)).out).toBe('')
  expect((await typed(`mapping set kuma ${stored}`, env)).out).toMatch(/^kuma +\d rules? /)
  expect((await typed('mapping list', env)).out).toMatch(/^kuma /)
  await writeFile(payload, '{ "of": "another system" }')
  expect((await typed(`mapping test kuma ${payload}`, env)).code).toBe(1)
  const { out } = await typed('mapping get kuma', env)
  await writeFile(stored, out)
  expect((await typed(`mapping set kuma ${stored}`, env)).code).toBe(0)
  expect((await typed('mapping delete kuma', env)).code).toBe(0)
  expect((await typed('mapping get kuma', env)).code).toBe(1)
})

test('an owner exports the account, in which are its agents', async () => {
  const { agent, owner } = await newAgent(at)
  const { code, out } = await typed('account export', { STANDING_TOKEN: owner.token })
  expect(code).toBe(0)
  const lines = linesOf(out)
  expect(lines[0]).toMatchObject({ kind: 'account' })
  expect(JSON.stringify(lines)).toContain(agent.id)
  expect((await typed('account export')).code).toBe(4)
})

test('webhook deliveries says why each one failed, and webhook list why one stopped', async () => {
  const receiver = await httpReceiver((_, response) => response.writeHead(410).end())
  onTestFinished(receiver.close)
  const { token } = await newOwner(at)
  const env = { STANDING_TOKEN: token }
  const { id } = await json(`webhook create http://127.0.0.1:${receiver.port}/`, env)
  await typed(`webhook test ${id}`, env)
  await eventually(async () => {
    const { out } = await typed(`webhook deliveries ${id}`, env)
    expect(out).toMatch(/ 1 attempt {2}last error: status 410$/)
  })
  expect((await typed('webhook list', env)).out).toMatch(
    /disabled .* disabled because the receiver responded 410$/,
  )
})

describe('what a message says', () => {
  test('of text that is no key, it is how keys begin, and which option or variable was wrong', async () => {
    expect(await typed('whoami --key bad')).toMatchObject({
      code: 4,
      said: expect.stringMatching(/^--key is not a key\. A key begins with avp_ \(platform\), /m),
    })
    const wrong = { STANDING_OPERATOR_KEY: 'bad' }
    expect((await typed('platform list', wrong)).said).toContain(
      'STANDING_OPERATOR_KEY is not a key',
    )
    const { token } = await newOwner(at)
    expect((await typed(`agent list --key ${token}`)).code).toBe(2)
    expect((await typed(`whoami --key ${token}`)).code).toBe(0)
  })

  test('of https at a port without TLS, it is that the address begins with http', async () => {
    const url = at.url.replace('http:', 'https:')
    expect(await typed(`score get ${randomUUID()} --url ${url}`)).toMatchObject({
      code: 3,
      said: expect.stringContaining('does not use TLS: its address probably begins with http://'),
    })
  })

  test('of lines that name no agent, it is once how to name it', async () => {
    const past = join(home, 'past.jsonl')
    const line = { at: '2026-01-01T00:00:00Z', by: randomUUID(), type: 'task.completed' }
    await writeFile(past, `${JSON.stringify(line)}\n`.repeat(3))
    const { said } = await asOperator(`import ${past} --dry-run`)
    expect(said.split('--agent ID')).toHaveLength(2)
    expect((await asOperator(`import ${past} --dry-run --json`)).said).not.toContain('--agent ID')
  })

  test('of options before the command, it is where they belong', async () => {
    expect(await typed('--json nosuch')).toMatchObject({
      code: 2,
      said: expect.stringMatching(
        /^--json is not a command\. Options come after it: standing COMMAND --json$/m,
      ),
    })
  })

  test.each(['secret rotate', 'secret finish', 'backup /tmp/none --with-key'])(
    'of a directory without data, it is the same for %s as for other commands',
    async (line) => {
      const { code, said } = await typed(`${line} --data-dir /nonexistent`)
      expect(code).toBe(1)
      expect(said).toContain('There is no data in /nonexistent. Set STANDING_DATA_DIR')
    },
  )
})

describe('login', () => {
  const login = async (words: readonly string[], password: string) => {
    const out: string[] = []
    const code = await run(['login', ...words], {
      env: { HOME: home },
      say: (line) => void out.push(line),
      stderr: { write: (text) => void out.push(text) },
      stdin: Readable.from([`${password}\n`]) as NodeJS.ReadStream,
    })
    return { code, said: out.join('\n') }
  }

  test('stores the credentials for one address in a file that only its owner can read', async () => {
    const { email } = await newOwner(at)
    const wrong = await login([email, '--url', at.url], 'not the password at all')
    expect(wrong.code).toBe(4)
    const { code, said } = await login([email, '--url', at.url], PASSWORD)
    expect(code, said).toBe(0)
    expect(said).toContain(`Signed in to ${at.url} as owner ${email}`)
    expect(said).not.toContain(PASSWORD)
    const file = join(home, '.config/standing/logins.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readFile(file, 'utf8')).not.toContain(PASSWORD)
    expect((await login(['--url', at.url, '--key', OPERATOR_KEY], '')).code).toBe(0)
    const later = commandIn({ HOME: home })
    expect((await later('agent list')).code).toBe(0)
    expect((await later('platform list')).code).toBe(0)
    const known = await later('whoami')
    expect(known).toMatchObject({ code: 0, said: expect.stringContaining(at.url) })
    expect(known.out).toMatch(/^owner +works +.*@/m)
    expect(known.out).toMatch(/^operator +works$/m)
    expect((await later('agent list --url http://127.0.0.1:9')).code).toBe(4)
    expect((await later('logout')).code).toBe(0)
    expect((await later(`whoami --url ${at.url}`)).code).toBe(4)
    expect((await later(`agent list --url ${at.url}`)).code).toBe(4)
  })

  test('an agent’s key replaces a stored key of a platform, says so, and is the one that is used', async () => {
    const { agent } = await newAgent(at)
    const { platform } = await newPlatform(at)
    const first = await login(['--url', at.url, '--key', platform.apiKey], '')
    expect(first.said).not.toContain('replaces')
    const { said } = await login(['--url', at.url, '--key', agent.apiKey], '')
    expect(said).toContain('It replaces the key of the platform that was stored for this address.')
    const later = commandIn({ HOME: home })
    expect((await later('whoami')).out).toMatch(/^agent +works .*$/)
    expect((await later('logout --json')).out).toContain('"forgotten":1')
  })

  test('says what keeps the credential from being stored', async () => {
    const file = join(home, 'file')
    await writeFile(file, '')
    const line = `login --key ${OPERATOR_KEY} --url ${at.url}`
    const { code, said } = await commandIn({ XDG_CONFIG_HOME: file })(line)
    expect(code).toBe(1)
    expect(said).toMatch(/logins\.json cannot be written: (there is|a part|it is|.*exist)/)
  })

  test('logout ends the session at the service, and only that session', async () => {
    const { email, token: other } = await newOwner(at)
    expect((await login([email, '--url', at.url], PASSWORD)).code).toBe(0)
    const stored = await readFile(join(home, '.config/standing/logins.json'), 'utf8')
    const [{ secret }] = JSON.parse(stored).logins[at.url]
    expect((await typed('agent list', { STANDING_TOKEN: secret })).code).toBe(0)
    const { out } = await commandIn({ HOME: home })('logout --json')
    expect(JSON.parse(out)).toEqual({ url: at.url, forgotten: 1, ended: true })
    expect((await typed('agent list', { STANDING_TOKEN: secret })).code).toBe(4)
    expect((await typed('agent list', { STANDING_TOKEN: other })).code).toBe(0)
  })

  test('a wrong password is answered with the address of the service and what to do', async () => {
    const { email } = await newOwner(at)
    const { code, said } = await login([email, '--url', at.url], 'not the password at all')
    expect(code).toBe(4)
    expect(said).toContain(`wrong at ${at.url}`)
    expect(said).toContain(`standing owner reset-link ${email}`)
    expect((await login([email, '--url', at.url], '')).code).toBe(2)
  })

  test('does not store a key that does not work, or text that is not a key', async () => {
    const wrong = `avo_${'9'.repeat(32)}`
    expect((await login(['--url', at.url, '--key', wrong], '')).code).toBe(4)
    expect((await login(['--url', at.url, '--key', 'secret'], '')).code).toBe(2)
    expect((await login(['--url', at.url], PASSWORD)).code).toBe(2)
    expect((await commandIn({ HOME: home })(`whoami --url ${at.url}`)).code).toBe(4)
  })

  test('whoami says for each credential whether it works', async () => {
    const { agent } = await newAgent(at)
    const { platform } = await newPlatform(at)
    expect((await json('whoami', { STANDING_API_KEY: agent.apiKey })).kind).toBe('agent')
    expect(await json('whoami', { STANDING_API_KEY: platform.apiKey })).toMatchObject({
      kind: 'platform',
      name: platform.name,
      id: platform.id,
    })
    const wrong = await typed('whoami', { STANDING_API_KEY: `avp_${'9'.repeat(38)}` })
    expect(wrong).toMatchObject({ code: 4, out: expect.stringMatching(/does not work/) })
  })
})

test('database status names the server, the schema and the rows, without a password', async () => {
  const url = new URL(at.database.url)
  url.password = 'hunter2'
  const env = { DATABASE_URL: url.href }
  const { code, out } = await typed('database status', env)
  expect(code).toBe(0)
  expect(out).toMatch(/PostgreSQL \d+[\s\S]*up to date[\s\S]*MiB/)
  expect(out).not.toContain('hunter2')
  expect((await typed('database url', env)).out).toBe(url.href)
  expect(await typed('database url', { STANDING_DATA_DIR: join(home, 'none') })).toMatchObject({
    code: 1,
    said: expect.stringContaining('standing serve'),
  })
})

test.each([
  ['test-data platform', 'POST http://trust.example/v1/test-data/platforms'],
  [
    'contract http://trust.example --only "a path that does"',
    'GET http://trust.example/v1/nothing',
  ],
  ['replay examples/replay.jsonl', 'POST http://trust.example/v1/auth/register'],
])('%s sends its requests through the proxy of the environment', async (line, request) => {
  const seen: string[] = []
  const proxy = await httpReceiver(({ method, url }, response) => {
    seen.push(`${method} ${url}`)
    response.writeHead(401).end('{"error":{"code":"AUTHENTICATION_REQUIRED"}}')
  })
  onTestFinished(proxy.close)
  await typed(line, {
    STANDING_URL: 'http://trust.example',
    STANDING_TOKEN: 'a.b.c',
    STANDING_OPERATOR_KEY: OPERATOR_KEY,
    HTTP_PROXY: `http://127.0.0.1:${proxy.port}`,
  })
  expect(seen).toContain(request)
})

describe('replay', () => {
  const replay = (args: string) => asOperator(`replay ${args} --run ${randomUUID()}`)

  test('ranks the agents of the sample, and names those without a rank', async () => {
    const { code, out } = await replay('examples/replay.jsonl --history 30')
    expect(code, out).toBe(0)
    expect(out).toMatch(/1 +\d+ .* steady\n[\s\S]* careless\n[\s\S]* failing\n/)
    const all = await replay('examples/replay.jsonl --history 30 --events 40 --json')
    expect(JSON.parse(all.out)).toMatchObject({ accepted: 40, rejected: 0, rejectedLines: [] })
  })

  test('names the line of a refused event and exits with code 1', async () => {
    const line = { agent: 'a', platform: 'p', t: '2026-05-01T08:00:00Z', data: {}, good: true }
    const lines = ['task.completed', 'task.done'].map((type) => JSON.stringify({ ...line, type }))
    const file = join(home, 'wrong.jsonl')
    await writeFile(file, lines.join('\n'))
    const { code, out } = await replay(file)
    expect(code).toBe(1)
    expect(out).toMatch(/^ {2}line 2: VALIDATION_ERROR: type/m)
  })
})
