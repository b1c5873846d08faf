import { describe, expect, test } from 'vitest'
import { runErasures } from '../../src/erasure/run.ts'
import { checkAgent } from '../../src/scoring/check-agent.ts'
import { verifyProof } from '../../src/scoring/verify-receipt.ts'
import { readCluster } from '../../src/store/postgres/cluster.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { brokenAt } from '../support/audit-chain.ts'
import { eventually } from '../support/eventually.ts'
import { refusal } from '../support/http.ts'
import { startReceiver, startSlowReceiver } from '../support/receiver.ts'
import { newAgent, newMember, newOwner, newPlatform, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const pool = createPool({ url: at.database.url }, { max: 2 })
const store = createPostgresStore(pool, { cluster: await readCluster(pool) })

/** Words that occur in nothing but what a test wrote about one account. */
let stories = 0

/** An account with everything that can be personal, all of it named by one word. */
async function story() {
  const word = `marguerite${++stories}`
  const owner = await newOwner(at)
  await newMember(at, owner)
  const { agent } = await newAgent(at, owner)
  const { agents, webhooks, keys, invitations, credentials, identifiers, policies } = owner.client
  await agents.update(agent.id, {
    displayName: word,
    metadata: { contact: word },
    publicProfile: true,
  })
  await keys.create({ name: word, scopes: ['read'] })
  await invitations.create({ email: `${word}@example.com`, role: 'viewer' })
  await identifiers.claim(agent.id, { type: 'domain', value: `${word}.example.com` })
  const receiver = await startReceiver()
  const url = `${receiver.url}/${word}`
  await webhooks.create({ url, events: ['*'], description: word })
  await policies.put('purchase', { minScore: 600 })
  const { client: platform } = await newPlatform(at)
  await platform.events.report(agent.id, [
    { type: 'task.failed', data: { errorCode: word }, externalId: word },
    { type: 'error.reported', data: { errorType: word, severity: 'low' } },
    { type: 'task.completed', data: { duration: 12 } },
  ])
  const contradictory = {
    type: 'task.completed',
    data: { success: false, errorCode: word },
  } as const
  const held = await platform.events.submit(agent.id, contradictory)
  await at.operator.operator.review(held.id, { decision: 'upheld', reason: `said ${word}` })
  await owner.client.events.appeal(held.id, `I am ${word}`)
  const claims = { person: word }
  const credential = await credentials.issue({ agentId: agent.id, type: 'Audit', claims })
  return { word, owner, agent, platform, credential, receiver }
}

/** Rows of any table in which a text occurs. */
async function rowsWith(text: string): Promise<readonly string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await pool.query(`select t::text from ${name} t where t::text ilike $1`, [
      `%${text}%`,
    ])
    found.push(...rows.map(() => name))
  }
  return found
}

/** The names of the policies of an account. */
async function policiesOf(ownerId: string): Promise<readonly string[]> {
  const text = 'select name from policies where holder = $1'
  const { rows } = await pool.query<{ name: string }>(text, [`owner:${ownerId}`])
  return rows.map(({ name }) => name)
}

async function proofOf(agentId: string) {
  const { receipt } = await at.anyone.score.getReceipt(agentId)
  const keys = { keys: [...(await at.anyone.score.receiptKeys()).keys] }
  const lines = async () => (await at.operator.events.export(agentId)).trimEnd().split('\n')
  return { receipt, keys, lines }
}

async function audited() {
  const rows = []
  for await (const row of at.operator.operator.exportAudit()) {
    rows.push({ ...row, createdAt: Date.parse(row.createdAt) })
  }
  return rows
}

describe('an erased owner', () => {
  test('leaves nothing personal in any table, and everything still verifies', async () => {
    const { word, owner, agent } = await story()
    const { receipt, keys, lines } = await proofOf(agent.id)
    const { score } = await at.anyone.score.get(agent.id)
    expect((await rowsWith(word)).length).toBeGreaterThan(8)
    const [session] = (await owner.client.auth.sessions()).data
    expect(await rowsWith(session?.id ?? '')).toEqual(['sessions'])
    expect(await policiesOf(owner.owner.id)).toEqual(['purchase'])
    const begun = await owner.client.auth.erase(owner.email)
    expect(begun).toMatchObject({ kind: 'owner', subjectId: owner.owner.id })
    await eventually(async () =>
      expect(await at.operator.operator.ownerErasure(owner.owner.id)).toMatchObject({
        status: 'done',
      }),
    )
    expect(await rowsWith(word)).toEqual([])
    expect(await policiesOf(owner.owner.id)).toEqual([])
    expect(await rowsWith(owner.email)).toEqual([])
    expect(await rowsWith(session?.id ?? '')).toEqual([])
    expect(await refusal(owner.client.auth.me())).toMatchObject({ status: 401 })
    const verdict = await verifyProof({ receipt, lines: await lines(), keys })
    expect(verdict).toMatchObject({ problem: null, later: 0 })
    expect(await at.anyone.score.get(agent.id)).toMatchObject({ score, status: 'deactivated' })
    expect(await checkAgent(store, agent.id)).toMatchObject({ difference: null })
    expect(brokenAt(await audited())).toBeNull()
  })

  test('frees the e-mail for a new account, and cannot be changed, erased twice or given a platform', async () => {
    const { owner } = await story()
    const { id } = owner.owner
    const { operator } = at.operator
    const first = await operator.eraseOwner(id, owner.email)
    expect(await operator.eraseOwner(id, owner.email)).toMatchObject({ createdAt: first.createdAt })
    const refused = await refusal(operator.updateOwner(id, { status: 'active' }))
    expect(refused).toMatchObject({ status: 409 })
    const platform = operator.createPlatform({ name: 'Market', ownerId: id })
    expect(await refusal(platform)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
    const password = 'correct horse battery staple'
    const again = await at.anyone.auth.register({ email: owner.email, password })
    expect(again.owner.id).not.toBe(id)
  })

  test('can be erased only by the person who opened the account, with the right e-mail', async () => {
    const owner = await newOwner(at)
    const admin = await newMember(at, owner, 'admin')
    expect(await refusal(admin.client.auth.erase(owner.email))).toMatchObject({ status: 403 })
    expect(await refusal(owner.client.auth.erase('other@example.com'))).toMatchObject({
      status: 400,
    })
    await owner.client.auth.me()
  })
})

describe('an erased agent', () => {
  test('is deactivated and loses its name and its keys; its credentials are revoked, and its owner stays', async () => {
    const { word, owner, agent, credential } = await story()
    const { receipt, keys, lines } = await proofOf(agent.id)
    // A key that has ended is otherwise shown for a day.
    await owner.client.agents.rotateKey(agent.id, { overlapSeconds: 0 })
    await owner.client.agents.erase(agent.id)
    expect(await owner.client.agents.get(agent.id)).toMatchObject({
      displayName: 'Erased agent',
      metadata: {},
      status: 'deactivated',
      keyLastUsedAt: null,
      apiKeys: [],
    })
    const shown = await at.anyone.credentials.verify(credential.id)
    expect(shown).toMatchObject({ valid: false, status: 'revoked' })
    const stranger = await at.anyone.credentials.verify(credential.jwt)
    expect(stranger).toMatchObject({ valid: false, status: 'revoked' })
    await eventually(async () =>
      expect(await owner.client.agents.erasure(agent.id)).toMatchObject({ status: 'done' }),
    )
    expect(await verifyProof({ receipt, lines: await lines(), keys })).toMatchObject({
      problem: null,
    })
    // What is left belongs to the account: the invitation, the key with its audit entry, the webhook.
    const left = [...(await rowsWith(word))].sort()
    expect(left).toEqual(['audit', 'invitations', 'owner_keys', 'webhooks'])
    await owner.client.auth.me()
  })

  test('is not sent by a delivery in progress, and later notifications are delivered', async () => {
    const { owner, agent, receiver } = await story()
    const { agent: other } = await newAgent(at, owner)
    const { client: platform } = await newPlatform(at)
    // Nothing is answered until the agent is erased.
    const waiting: { end(text: string): unknown }[] = []
    receiver.answer((response) => waiting.push(response))
    await platform.events.submit(agent.id, { type: 'task.failed' })
    await eventually(() => expect(waiting.length).toBeGreaterThan(0))
    await owner.client.agents.erase(agent.id)
    await eventually(async () =>
      expect(await owner.client.agents.erasure(agent.id)).toMatchObject({ status: 'done' }),
    )
    receiver.answer((response) => response.end('thanks'))
    for (const response of waiting) {
      response.end('thanks')
    }
    const before = receiver.posts.length
    await platform.events.submit(other.id, { type: 'task.completed' })
    await eventually(() =>
      expect(receiver.posts.slice(before).map(({ body }) => body.data.agentId)).toContain(other.id),
    )
  })
})

describe('notifications about an erased agent', () => {
  /** Platforms that got notifications about the agent of a story; only the second one watches it still. */
  async function watchedStory() {
    const outcome = await story()
    const { owner, agent } = outcome
    const receiver = await startReceiver()
    // No attempt succeeds, so every delivery stays pending.
    receiver.answer((response) => response.writeHead(503).end())
    const watchers = [await newPlatform(at), await newPlatform(at)] as const
    for (const { client } of watchers) {
      await client.webhooks.create({ url: receiver.url, events: ['*'] })
      await client.watches.add(agent.id)
    }
    await owner.client.agents.deactivate(agent.id)
    await watchers[0].client.watches.remove(agent.id)
    return outcome
  }

  async function countAbout(agentId: string): Promise<number> {
    const { rows } = await pool.query<{ count: number }>(
      `select ((select count(*) from notifications where agent_id = $1)
         + (select count(*) from deliveries where ordering_key = $1 and status = 'pending'))::int as count`,
      [agentId],
    )
    return rows[0]?.count ?? -1
  }

  test('are deleted unsent, for those who watched the agent and for those who stopped', async () => {
    const { agent, owner } = await watchedStory()
    expect(await countAbout(agent.id)).toBeGreaterThan(3)
    await owner.client.agents.erase(agent.id)
    await eventually(async () =>
      expect(await owner.client.agents.erasure(agent.id)).toMatchObject({ status: 'done' }),
    )
    expect(await countAbout(agent.id)).toBe(0)
  })

  test('are not sent either if they wait in the node', async () => {
    const { client: watcher } = await newPlatform(at)
    const { agent, owner } = await newAgent(at)
    const { receiver, release } = await startSlowReceiver()
    await watcher.webhooks.create({ url: receiver.url, events: ['score.changed'] })
    await watcher.watches.add(agent.id)
    const reporter = await newPlatform(at)
    await reporter.client.events.report(
      agent.id,
      [1, 2, 3].map((duration) => ({ type: 'task.completed', data: { duration } })),
    )
    await receiver.until(1)
    await owner.client.agents.erase(agent.id)
    await eventually(async () =>
      expect(await owner.client.agents.erasure(agent.id)).toMatchObject({ status: 'done' }),
    )
    release()
    const other = await watcher.webhooks.create({ url: receiver.url, events: ['*'] })
    const { id } = await watcher.webhooks.test(other.id)
    await eventually(() => expect(receiver.bodies.map((body) => body.id)).toContain(id))
    expect(receiver.bodies.map(({ type }) => type)).toEqual(['score.changed', 'webhook.test'])
  })

  test('are deleted too if the whole account is erased', async () => {
    const { word, agent, owner } = await watchedStory()
    expect(await countAbout(agent.id)).toBeGreaterThan(3)
    await owner.client.auth.erase(owner.email)
    await eventually(async () =>
      expect(await at.operator.operator.ownerErasure(owner.owner.id)).toMatchObject({
        status: 'done',
      }),
    )
    expect(await countAbout(agent.id)).toBe(0)
    expect(await rowsWith(word)).toEqual([])
  })
})

test('an interrupted erasure is finished by the next start, and by any node', async () => {
  const { word, owner } = await story()
  const { id } = owner.owner
  // As after a kill right behind the first transaction: it is asked for, and nothing else is done.
  await pool.query('insert into erasures values ($1, $2, $1, $3, 0, null)', [id, 'owner', []])
  expect((await rowsWith(word)).length).toBeGreaterThan(8)
  let parts = 0
  const onError = (error: unknown) => expect.fail(String(error))
  const sources = { store, now: Date.now, newId: () => crypto.randomUUID() }
  const run = { ...sources, failed: new Map(), onError }
  // Cut short after each part in turn, then run to the end.
  for (let last = 0; last < 8; last++) {
    parts = 0
    await runErasures({ ...run, isStopping: () => parts++ >= last })
  }
  await runErasures({ ...run, isStopping: () => false })
  expect(await rowsWith(word)).toEqual([])
  expect(brokenAt(await audited())).toBeNull()
})

/** The objects of an export. */
function linesOf(text: string) {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

describe('an export', () => {
  test('has every object of the account, one per line, and no secret', async () => {
    const { word, owner, agent } = await story()
    const { agent: watched } = await newAgent(at)
    await owner.client.watches.add(watched.id)
    const text = await owner.client.auth.export()
    const lines = linesOf(text)
    const counts: Record<string, number> = {}
    for (const { kind } of lines) {
      counts[kind] = (counts[kind] ?? 0) + 1
    }
    expect(counts).toMatchObject({
      account: 1,
      member: 2,
      session: 1,
      key: 1,
      invitation: 1,
      webhook: 1,
      policy: 1,
      watch: 1,
      agent: 1,
      identifier: 1,
      credential: 1,
      event: 5,
    })
    expect(lines.find(({ kind }) => kind === 'agent').data).toMatchObject({
      id: agent.id,
      displayName: word,
    })
    expect(text).not.toMatch(/whsec_|avw_|avs_|argon2/)
  })

  test('has the sessions of the person who asks, all of them for the operator, and none for an API key', async () => {
    const owner = await newOwner(at)
    const { id: ownerId } = owner.owner
    const viewer = await newMember(at, owner, 'viewer')
    const { apiKey } = await owner.client.keys.create({ name: 'reader', scopes: ['read'] })
    const sessionsIn = (text: string) =>
      linesOf(text)
        .filter(({ kind }) => kind === 'session')
        .map(({ data }) => data.memberId)
    const exportOf = async (token: string) =>
      sessionsIn(await owner.client.with({ token }).auth.export())
    expect(await exportOf(owner.token)).toEqual([ownerId])
    expect(await exportOf(viewer.token)).toEqual([viewer.member.id])
    expect(await exportOf(apiKey)).toEqual([])
    const all = sessionsIn(await at.operator.operator.exportOwner(ownerId))
    expect(new Set(all)).toEqual(new Set([ownerId, viewer.member.id]))
  })

  test('of an agent is available to the agent, its owner and the operator', async () => {
    const { agent, owner, client } = await newAgent(at)
    const own = linesOf(await client.agents.export(agent.id))
    expect(own[0]).toMatchObject({ kind: 'agent', data: { id: agent.id } })
    for (const reader of [owner.client, at.operator]) {
      expect(linesOf(await reader.agents.export(agent.id))).toEqual(own)
    }
    const other = await newOwner(at)
    expect(await refusal(other.client.agents.export(agent.id))).toMatchObject({ status: 403 })
  })
})
