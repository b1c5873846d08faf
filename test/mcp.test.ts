import { readFile } from 'node:fs/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, expect, test } from 'vitest'
import { TOOLS } from '../src/mcp/tools.ts'
import { commandIn } from './support/command.ts'
import { newEd25519, signedBy } from './support/identifiers.ts'
import { newDirectory } from './support/once.ts'
import { newAgent, newPlatform, startService } from './support/service.ts'

const at = await startService()
const { agent, client: asAgent, owner } = await newAgent(at)
const { agent: newcomer } = await newAgent(at, owner)
const { platform, client: asPlatform } = await newPlatform(at)
for (let batch = 0; batch < 60; batch += 30) {
  const ids = Array.from({ length: 30 }, (_, i) => `task-${batch + i}`)
  await asPlatform.events.report(
    agent.id,
    ids.map((externalId) => ({ type: 'task.completed', externalId })),
  )
}

const open: Client[] = []
afterAll(() => Promise.all(open.map((client) => client.close())))

const REVISIONS = ['2026-07-28', '2025-11-25'] as const
type Revision = (typeof REVISIONS)[number]

function clientOf(revision: Revision): Client {
  const mode = revision === '2026-07-28' ? { pin: revision } : ('legacy' as const)
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  open.push(client)
  return client
}

/** The official client, of either revision, with the key of a caller. */
async function connect(revision: Revision, apiKey?: string): Promise<Client> {
  const client = clientOf(revision)
  const headers: Record<string, string> = apiKey === undefined ? {} : { 'x-api-key': apiKey }
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', at.url), {
    requestInit: { headers },
  })
  await client.connect(transport)
  return client
}

/** What a tool answers; the client holds it to the tool's output schema. */
async function call(client: Client, name: string, given: Record<string, unknown>) {
  const { isError, structuredContent, content } = await client.callTool({ name, arguments: given })
  const [first] = content
  const text = first?.type === 'text' ? first.text : ''
  return { isError: isError === true, text, answer: structuredContent as never as Answer }
}

type Answer = Readonly<Record<string, never>>

test.each(REVISIONS)(
  'a client of revision %s lists every tool with its schemas',
  async (revision) => {
    const client = await connect(revision)
    expect(client.getNegotiatedProtocolVersion()).toBe(revision)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name))
    for (const { name, title, description, annotations, inputSchema, outputSchema } of tools) {
      expect([name, title, description].every((text) => (text ?? '').length > 5)).toBe(true)
      expect([name, inputSchema.additionalProperties]).toEqual([name, false])
      expect([name, outputSchema?.type]).toEqual([name, 'object'])
      expect([name, annotations]).toEqual([
        name,
        expect.objectContaining({
          readOnlyHint: name !== 'report_event',
          destructiveHint: false,
          openWorldHint: false,
        }),
      ])
    }
  },
)

test.each(REVISIONS)(
  'an anonymous caller checks, explains, compares and looks up by %s',
  async (revision) => {
    const client = await connect(revision)
    const expected = await at.anyone.score.get(agent.id)
    const checked = await call(client, 'check_trust', { agent: agent.id })
    expect(checked.answer).toMatchObject({
      match: 'id',
      agentId: agent.id,
      status: 'active',
      score: { score: expected.score, interval: expected.interval, eventCount: 60 },
      summary: expect.stringContaining(`${expected.score} of 1000`),
    })
    expect(JSON.parse(checked.text)).toEqual(checked.answer)
    expect((await call(client, 'explain_score', { agent: agent.id })).answer).toMatchObject({
      score: expected.score,
      contributions: { start: 100 },
      nextTier: { classification: 'poor' },
    })
    const both = { agents: [newcomer.id, 'did:web:nobody.example', agent.id] }
    expect((await call(client, 'compare_agents', both)).answer).toMatchObject({
      ranking: [{ agentId: agent.id }, { agentId: newcomer.id }, { match: 'unknown', score: null }],
      isClear: expect.any(Boolean),
    })
    const twice = { agents: [agent.id, newcomer.id, agent.id.toUpperCase()] }
    expect((await call(client, 'compare_agents', twice)).answer).toMatchObject({
      ranking: [{ agentId: agent.id, asked: agent.id }, { agentId: newcomer.id }],
    })
    const names = { names: ['nobody.example', newcomer.id] }
    expect((await call(client, 'lookup_agent', names)).answer).toEqual({
      results: [
        expect.objectContaining({ asked: 'nobody.example', match: 'unknown', agentId: null }),
        expect.objectContaining({ match: 'id', agentId: newcomer.id }),
      ],
    })
  },
)

test('an input of another type is refused for its type alone', async () => {
  const client = await connect('2026-07-28')
  const agents = 'a name that has more characters than a list has items'
  expect(await call(client, 'compare_agents', { agents })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/ compare_agents: agents: must be a list, not a string$/),
  })
})

test('every problem of an input is named, also of texts that cannot be stored', async () => {
  const client = await connect('2026-07-28', agent.apiKey)
  const data = { errorCode: 'a\u0000', errorType: '\ud800' }
  await expect(call(client, 'report_event', { type: 'task.failed', data })).rejects.toThrow(
    'params.arguments.data.errorCode: contains a NUL character; ' +
      'params.arguments.data.errorType: contains a lone surrogate',
  )
  const figures = { duration: -1, colour: 'red' }
  const { text } = await call(client, 'report_event', { type: 'task.failed', data: figures })
  expect(text).toBe(
    'VALIDATION_ERROR: data.duration: must be at least 0; data.colour: is not a field of this object.',
  )
})

test('an unknown agent is a normal result, and a proven name leads to its agent', async () => {
  const client = await connect('2026-07-28')
  const unknown = await call(client, 'check_trust', { agent: 'did:web:nobody.example' })
  expect(unknown).toMatchObject({ isError: false, answer: { match: 'unknown', score: null } })
  const explained = await call(client, 'explain_score', { agent: 'did:web:nobody.example' })
  expect(explained).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^NOT_FOUND: no agent is known by/),
  })
})

test.each(REVISIONS)(
  'an agent reports about itself and reads its events by %s',
  async (revision) => {
    const client = await connect(revision, agent.apiKey)
    const event = { type: 'task.failed', data: { duration: 5 }, externalId: `own-${revision}` }
    const reported = await call(client, 'report_event', event)
    expect(reported.answer).toMatchObject({
      event: { agentId: agent.id, isSelfReported: true, data: { duration: 5 } },
      summary: 'task.failed was accepted and counts with weight 0.1.',
    })
    const again = await call(client, 'report_event', { ...event, agent: agent.id })
    expect(again.answer).toEqual(reported.answer)
    const [newest] = (await asAgent.events.list()).data
    expect((await call(client, 'list_events', { limit: 1 })).answer).toMatchObject({
      events: [{ id: newest?.id, externalId: `own-${revision}` }],
      nextCursor: expect.any(String),
    })
    const other = await call(client, 'report_event', { ...event, agent: newcomer.id })
    expect(other).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^FORBIDDEN: an agent’s key is for/),
    })
    expect((await asPlatform.events.list(newcomer.id)).data).toEqual([])
  },
)

test('a caller with a key gets a decision by a policy, and other callers are asked to connect with a key', async () => {
  const client = await connect('2026-07-28', platform.apiKey)
  const denied = await call(client, 'decide', { agent: agent.id, policy: { minScore: 900 } })
  expect(denied.answer).toMatchObject({
    decision: 'deny',
    agent: { id: agent.id },
    ownExperience: { good: 60, bad: 0 },
    summary: expect.stringMatching(/^deny: .*900/),
  })
  const lenient = { minScore: 0, minConfidence: 'low', disputed: 'allow' }
  expect((await call(client, 'decide', { agent: agent.id, policy: lenient })).answer).toMatchObject(
    {
      decision: 'allow',
    },
  )
  expect(
    (await call(client, 'decide', { agent: 'did:web:nobody.example', amount: 5 })).answer,
  ).toMatchObject({ agent: null, score: null })
  expect(await call(client, 'decide', { agent: agent.id, policy: 'no-such' })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^VALIDATION_ERROR: policy/),
  })
  const anyone = await connect('2025-11-25')
  expect(await call(anyone, 'decide', { agent: agent.id })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^AUTHENTICATION_REQUIRED/),
  })
})

test('a platform reports about any agent, and an owner reads the events of its own agents', async () => {
  const client = await connect('2026-07-28', platform.apiKey)
  const event = { agent: newcomer.id, type: 'payment.completed', data: { amount: 12 } }
  expect((await call(client, 'report_event', event)).answer).toMatchObject({
    event: { agentId: newcomer.id, isSelfReported: false },
  })
  expect(await call(client, 'report_event', { type: 'task.completed' })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^VALIDATION_ERROR: agent is missing/),
  })
  const { apiKey } = await owner.client.keys.create({ name: 'model', scopes: ['read'] })
  const asOwner = await connect('2025-11-25', apiKey)
  const { answer } = await call(asOwner, 'list_events', { agent: newcomer.id })
  expect(answer).toMatchObject({ events: [{ type: 'payment.completed' }], nextCursor: null })
})

test('a caller who may not report gets the names of the keys that may', async () => {
  const { apiKey } = await owner.client.keys.create({ name: 'reports', scopes: ['manage'] })
  for (const [key, code] of [
    [undefined, 'AUTHENTICATION_REQUIRED'],
    [apiKey, 'FORBIDDEN'],
  ] as const) {
    const client = await connect('2026-07-28', key)
    for (const named of [{ agent: newcomer.id }, {}]) {
      expect(
        await call(client, 'report_event', { ...named, type: 'task.completed' }),
      ).toMatchObject({
        isError: true,
        text: expect.stringMatching(`^${code}: .*agent’s key.*platform’s`),
      })
    }
  }
})

test('an agent is named by an identifier that it has proven, to report and to list events', async () => {
  const { agent: proven, client: asProven } = await newAgent(at)
  const { privateKey, jwk } = await newEd25519()
  const value = `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`
  const claim = await asProven.identifiers.claim(proven.id, { type: 'did', value })
  const event = { agent: value, type: 'task.completed' }
  const client = await connect('2026-07-28', platform.apiKey)
  expect(await call(client, 'report_event', event)).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^NOT_FOUND: did:jwk:.* is claimed, and not proven by anyone/),
  })
  const signature = await signedBy(privateKey, claim.challenge ?? '')
  await asProven.identifiers.verify(proven.id, claim.id, { signature })
  expect((await call(client, 'report_event', event)).answer).toMatchObject({
    event: { agentId: proven.id },
  })
  expect((await call(client, 'list_events', { agent: value })).answer).toMatchObject({
    events: [{ agentId: proven.id }],
  })
})

test('an event that the service itself recorded is listed, found by its type, and explained', async () => {
  const { agent: replaced, owner: seller } = await newAgent(at)
  await asPlatform.events.submit(replaced.id, { type: 'task.failed' })
  const successor = await seller.client.agents.registerSuccessor(replaced.id)
  const client = await connect('2026-07-28', successor.apiKey)
  const type = 'agent.succeeded'
  for (const filter of [{}, { type }]) {
    expect((await call(client, 'list_events', filter)).answer).toMatchObject({ events: [{ type }] })
  }
  expect((await call(client, 'explain_score', { agent: successor.id })).answer).toMatchObject({
    contributions: { types: expect.arrayContaining([expect.objectContaining({ type })]) },
  })
})

test('a forbidden or invalid call returns a result that says what to do', async () => {
  const client = await connect('2026-07-28')
  expect(await call(client, 'report_event', { type: 'task.completed', agent: agent.id })).toEqual({
    isError: true,
    text: expect.stringMatching(/^AUTHENTICATION_REQUIRED: .* the header X-API-Key/),
    answer: undefined,
  })
  const asAgent = await connect('2026-07-28', agent.apiKey)
  expect(
    await call(asAgent, 'report_event', { type: 'task.completed', data: { amount: 1 } }),
  ).toMatchObject({ isError: true, text: expect.stringMatching(/^VALIDATION_ERROR: data\.amount/) })
  expect(await call(client, 'check_trust', { agent: agent.id, force: true })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/force/),
  })
  expect(await call(client, 'list_events', { agent: '../operator/audit' })).toMatchObject({
    isError: true,
    text: 'NOT_FOUND: no agent is known by the name ../operator/audit.',
  })
})

test('credentials are verified by id and by token, and forged ones are invalid', async () => {
  const issued = await owner.client.credentials.issue({
    agentId: agent.id,
    type: 'Audit',
    claims: { grade: 'A' },
  })
  const client = await connect('2026-07-28')
  const good = { valid: true, status: 'active', claims: { grade: 'A' } }
  expect(
    (await call(client, 'verify_credential', { credentialId: issued.id })).answer,
  ).toMatchObject(good)
  expect((await call(client, 'verify_credential', { jwt: issued.jwt })).answer).toMatchObject(good)
  const forged = `${issued.jwt.slice(0, -4)}AAAA`
  expect((await call(client, 'verify_credential', { jwt: forged })).answer).toMatchObject({
    valid: false,
    claims: null,
  })
  expect(await call(client, 'verify_credential', {})).toMatchObject({ isError: true })
})

test('tool calls count against the caller’s requests and lookups', async () => {
  const { agent: own, client: itself } = await newAgent(at)
  const client = await connect('2025-11-25', own.apiKey)
  const names = (count: number) => Array.from({ length: count }, (_, i) => `nobody-${i}.example`)
  for (const count of [...Array<number>(9).fill(100), 99]) {
    expect((await call(client, 'lookup_agent', { names: names(count) })).isError).toBe(false)
  }
  expect((await call(client, 'check_trust', { agent: agent.id })).isError).toBe(false)
  expect(await call(client, 'check_trust', { agent: agent.id })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^RATE_LIMIT_EXCEEDED: .* ask for a higher tier/),
  })
  await expect(itself.score.get(agent.id)).rejects.toMatchObject({
    status: 429,
    details: { limit: 'lookups_per_month' },
  })
  const limited = await post({ headers: { 'x-api-key': own.apiKey } })
  const next = await post({ headers: { 'x-api-key': own.apiKey } })
  const left = ({ headers }: Response) =>
    Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
  expect(left(next)).toBe(left(limited) - 1)
})

interface Posted {
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

function post({ body = PING, headers = {} }: Posted) {
  return fetch(`${at.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  })
}

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

test('only pages of this service and of this machine may call', async () => {
  const { host } = new URL(at.url)
  for (const origin of ['https://evil.example', 'null', `http://evil.example:80`, 'nonsense']) {
    expect([origin, (await post({ headers: { origin } })).status]).toEqual([origin, 403])
  }
  for (const origin of [`http://${host}`, 'http://localhost:6274']) {
    expect([origin, (await post({ headers: { origin } })).status]).toEqual([origin, 200])
  }
})

test('an invalid key is refused, and only one message is accepted at a time', async () => {
  expect((await post({ headers: { 'x-api-key': `avs_${'0'.repeat(38)}` } })).status).toBe(401)
  expect((await post({ body: `[${PING},${PING}]` })).status).toBe(400)
  expect((await post({ body: '{' })).status).toBe(400)
  expect((await post({ body: '['.repeat(1000) })).status).toBe(400)
  expect((await post({ body: 'x'.repeat(300_000) })).status).toBe(413)
  expect((await post({ headers: { 'content-type': 'text/plain' } })).status).toBe(415)
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const response = await fetch(`${at.url}/mcp`, { method })
    expect([method, response.status, response.headers.get('allow')]).toEqual([
      method,
      405,
      'OPTIONS, POST',
    ])
  }
})

test('an Accept header may cover both types of response by ranges', async () => {
  for (const accept of ['*/*', 'application/*, text/*;q=0.5', 'text/event-stream, */*']) {
    expect([accept, (await post({ headers: { accept } })).status]).toEqual([accept, 200])
  }
  for (const accept of ['application/json', 'text/event-stream', '*/*, text/event-stream;q=0']) {
    expect([accept, (await post({ headers: { accept } })).status]).toEqual([accept, 406])
  }
})

test('a notification gets no response, and a subscription is refused', async () => {
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }
  const accepted = await post({ body: JSON.stringify(initialized) })
  expect([accepted.status, await accepted.text()]).toEqual([202, ''])
  const client = await connect('2026-07-28')
  await expect(client.listen({ toolsListChanged: true })).rejects.toThrow()
})

test.each(REVISIONS)('standing mcp serves the same tools over stdio by %s', async (revision) => {
  const client = clientOf(revision)
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['scripts/standing.mjs', 'mcp', '--url', at.url],
      env: { PATH: process.env.PATH ?? '', STANDING_API_KEY: agent.apiKey },
    }),
  )
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name))
  expect((await call(client, 'check_trust', { agent: agent.id })).answer).toMatchObject({
    agentId: agent.id,
  })
  expect((await call(client, 'list_events', { limit: 1 })).answer).toMatchObject({
    events: [{ agentId: agent.id }],
  })
  expect(await call(client, 'report_event', { type: 'task.failed', agent: newcomer.id })).toEqual({
    isError: true,
    text: expect.stringMatching(/^FORBIDDEN/),
    answer: undefined,
  })
  const data = { errorCode: 'a\u0000', errorType: 'b\u0000' }
  expect((await call(client, 'report_event', { type: 'task.failed', data })).text).toBe(
    'VALIDATION_ERROR: data.errorCode: contains a NUL character; ' +
      'data.errorType: contains a NUL character.',
  )
})

test.each(['the variable STANDING_TOKEN', 'a sign-in that was stored'])(
  'standing mcp uses %s',
  async (from) => {
    const isStored = from !== 'the variable STANDING_TOKEN'
    const env = { XDG_CONFIG_HOME: await newDirectory('mcp-') }
    if (isStored) {
      const { code, said } = await commandIn(env)(['login', '--url', at.url, '--key', agent.apiKey])
      expect(code, said).toBe(0)
    }
    const client = clientOf('2025-11-25')
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: ['scripts/standing.mjs', 'mcp', '--url', at.url],
        env: {
          ...env,
          PATH: process.env.PATH ?? '',
          ...(isStored ? {} : { STANDING_TOKEN: owner.token }),
        },
      }),
    )
    const { answer } = await call(client, 'list_events', { agent: agent.id, limit: 1 })
    expect(answer).toMatchObject({ events: [{ agentId: agent.id }] })
  },
)

test('standing mcp says that no service answers, and keeps serving', async () => {
  const client = clientOf('2025-11-25')
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['scripts/standing.mjs', 'mcp', '--url', 'http://127.0.0.1:9'],
      env: { PATH: process.env.PATH ?? '' },
    }),
  )
  expect(await call(client, 'check_trust', { agent: agent.id })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^NETWORK_ERROR: no service answers at http:\/\/127\.0\.0\.1:9/),
  })
  expect((await client.listTools()).tools.length).toBe(TOOLS.length)
})

test('server.json describes this version and its address', async () => {
  const described = JSON.parse(await readFile('server.json', 'utf8'))
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  expect(described).toMatchObject({
    version,
    remotes: [{ type: 'streamable-http', url: 'https://{host}/mcp', variables: { host: {} } }],
  })
  expect(described.description.length).toBeLessThanOrEqual(100)
})
