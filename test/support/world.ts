import { createHmac, randomUUID } from 'node:crypto'
import type { MappingInput, Role, Standing } from '@standing/sdk'
import type { Pool } from 'pg'
import { httpReceiver } from '../../src/outbound/testing/receiver.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { eventually } from './eventually.ts'
import { newEd25519, signedBy } from './identifiers.ts'
import type { Described } from './operations.ts'
import {
  newAgent,
  newMember,
  newOwner,
  newPlatform,
  OPERATOR_KEY,
  PASSWORD,
  type TestService,
} from './service.ts'

export const CALLERS = [
  'anonymous',
  'owner',
  'other owner',
  'agent',
  'other agent',
  'platform',
  'operator',
] as const

export type CallerName = (typeof CALLERS)[number]

export interface World {
  /** What each caller shows. */
  readonly headers: Readonly<Record<CallerName, Readonly<Record<string, string>>>>
  readonly agentId: string
  /** The SDK, speaking for the owner. */
  readonly owner: Standing
  /** The token of a new member of the owner's account. */
  memberToken(role: Role): Promise<string>
  /** A request of the operation by a caller who may make it, about things of the caller's. */
  request(operation: Described, different?: Different): { url: string; init: RequestInit }
  /** How many rows each table holds, and what they add up to. */
  stored(): Promise<Readonly<Record<string, string>>>
  close(): Promise<void>
}

/** What of a request is not as it should be. */
export interface Different {
  /** Which of the examples; the first by default. */
  readonly example?: number
  /** Instead of an example, and exactly so. */
  readonly body?: unknown
  readonly query?: Readonly<Record<string, string>>
  /** Parameters of the path, as they stand in it. */
  readonly params?: Readonly<Record<string, string>>
}

let worlds = 0

/** Somebody of each kind, and something of each kind that belongs to them. */
export async function createWorld(at: TestService): Promise<World> {
  const number = ++worlds
  const owner = await newOwner(at)
  const { agent } = await newAgent(at, owner)
  await newAgent(at, owner)
  const stranger = await newAgent(at)
  const platform = await newPlatform(at)
  await newPlatform(at)
  for (let i = 0; i < 2; i++) {
    await platform.client.events.submit(agent.id, { type: 'task.failed' })
  }
  const contradictory = { type: 'task.completed', data: { success: false } } as const
  const held = await platform.client.events.submit(agent.id, contradictory)
  await platform.client.events.submit(agent.id, contradictory)
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const key = (apiKey: string) => ({ 'x-api-key': apiKey })
  const headers: World['headers'] = {
    anonymous: {},
    owner: bearer(owner.token),
    'other owner': bearer(stranger.owner.token),
    agent: key(agent.apiKey),
    'other agent': key(stranger.agent.apiKey),
    platform: key(platform.platform.apiKey),
    operator: key(OPERATOR_KEY),
  }
  const { hook, receiver, webhookId, deliveryId, listenerId } = await createWebhooks(owner.client)
  const claims = { grade: 'A' }
  const [credential] = await Promise.all(
    [1, 2].map(() => owner.client.credentials.issue({ agentId: agent.id, type: 'Audit', claims })),
  )
  if (credential === undefined) {
    throw new Error('two were issued')
  }
  for (const client of [owner.client, platform.client]) {
    await client.policies.put('purchases', { minScore: 650 })
  }
  await platform.client.mappings.put('stripe', MAPPING)
  for (const { client } of [owner, platform]) {
    await client.watches.add(agent.id)
  }
  const { identifier, signature } = await verifiedIdentifier(agent.id, owner.client)
  const { memberId, memberToken, invitationId, keyId, sessionId } = await createPeople(at, owner)
  const offers = await createOffers(at, owner)
  const operatorName = `bob-${number}`
  await at.operator.operator.createOperator(operatorName)
  const { id: ownerInvitationId } = await at.operator.operator.inviteOwner(
    `new-${number}@example.com`,
  )
  const [signingKey] = await at.operator.operator.signingKeys()
  const credentialId = credential.id
  const ids: Readonly<Record<string, string>> = {
    '/v1/agents/{id}': agent.id,
    '/v1/agents/{id}/identifiers/{identifierId}': identifier.id,
    '/v1/transfers/{id}': offers.own,
    '/v1/policies/{name}': 'purchases',
    '/v1/watches/{id}': agent.id,
    '/v1/platforms/me/mappings/{name}': 'stripe',
    '/v1/mappings/{name}': 'stripe',
    '/v1/platforms/{id}': platform.platform.id,
    '/v1/platforms/{id}/mappings/{name}': 'stripe',
    '/v1/scores/{id}': agent.id,
    '/v1/events/{id}': held.id,
    '/v1/credentials/{id}': credential.id,
    '/v1/members/{id}': memberId,
    '/v1/invitations/{id}': invitationId,
    '/v1/keys/{id}': keyId,
    '/v1/auth/sessions/{id}': sessionId,
    '/v1/operator/invitations/{id}': ownerInvitationId,
    '/v1/operator/operators/{name}': operatorName,
    '/v1/webhooks/{id}': webhookId,
    '/v1/webhooks/listeners/{id}': listenerId,
    '/v1/webhooks/{id}/deliveries/{deliveryId}': deliveryId,
    '/v1/status-lists/{list}': '1',
    '/v1/status-lists/{list}/{purpose}': 'revocation',
    '/v1/operator/keys/{kid}': signingKey?.kid ?? '',
    '/v1/operator/agents/{id}': agent.id,
    '/v1/operator/events/{id}': held.id,
    '/v1/operator/owners/{id}': owner.owner.id,
    '/v1/operator/platforms/{id}': platform.platform.id,
    '/v1/operator/rules/{rule}': 'near_duplicate',
  }
  const byOperation: Readonly<Record<string, string>> = {
    '/v1/transfers/{id}/accept': offers.accepted,
    '/v1/transfers/{id}/decline': offers.declined,
  }
  const fill = (path: string, params: Different['params']) =>
    path.replaceAll(/\{(\w+)\}/g, (parameter: string, name: string, end: number) => {
      const id = params?.[name] ?? byOperation[path] ?? ids[path.slice(0, end + parameter.length)]
      if (id === undefined) {
        throw new Error(`test/support/world.ts knows no thing for ${path}`)
      }
      return id
    })
  /** What examples name, made the caller's own. */
  function own(name: string, value: unknown): unknown {
    switch (name) {
      case 'agentId':
        return agent.id
      case 'agentIds':
        return [agent.id]
      case 'identifier':
        return identifier.value
      case 'credentialId':
        return credentialId
      case 'signature':
        return signature
      case 'url':
        return hook
      case 'since':
        return new Date(Date.now() - 3_600_000).toISOString()
      default:
        return value
    }
  }
  const pool = createPool({ url: at.database.url }, { max: 1 })
  let text: string | undefined
  return {
    headers,
    agentId: agent.id,
    owner: owner.client,
    memberToken: async (role) => (await newMember(at, owner, role)).token,
    request({ method, path, callers, examples, parameters }, different = {}) {
      const who = CALLERS.find((name) => (callers as readonly string[]).includes(name))
      // Another person of the account logs out, so that the owner's token works for what follows.
      const as = path === '/v1/auth/logout' ? bearer(memberToken) : headers[who ?? 'anonymous']
      const shown = { ...as, 'content-type': 'application/json' }
      const example = examples[different.example ?? 0]
      const body = 'body' in different ? different.body : example
      const json = JSON.stringify(body, 'body' in different ? undefined : own) as string | undefined
      const url = new URL(at.url + fill(path, different.params))
      for (const parameter of parameters) {
        if (parameter.in === 'query' && parameter.required) {
          const shown = parameter.schema.example ?? ''
          url.searchParams.set(parameter.name, String(own(parameter.name, shown)))
        }
      }
      for (const [name, value] of Object.entries(different.query ?? {})) {
        url.searchParams.set(name, value)
      }
      const signed = path === SIGNED ? { ...shown, ...signatureOf(json ?? '') } : shown
      const init = { method, headers: signed, ...(json === undefined ? {} : { body: json }) }
      return { url: url.href, init }
    },
    async stored() {
      text ??= await storedQuery(pool)
      // Under a name, so that a hundred tables are planned a few times and not at each call.
      const { rows } = await pool.query({ name: 'stored', text })
      return Object.fromEntries(
        rows.map(({ name, state }: { name: string; state: string }) => [name, state]),
      )
    },
    async close() {
      await pool.end()
      await receiver.close()
    },
  }
}

const SIGNED = '/v1/platforms/{id}/mappings/{name}/events'

const SENDER_SECRET = 'a secret shared with the sender'

/** What the examples of the document send. */
const MAPPING: MappingInput = {
  rules: [
    {
      agent: [{ path: '/data/object/metadata/agentId' }],
      type: { constant: 'payment.completed' },
      externalId: ['/id'],
    },
  ],
  sample: { id: 'evt_1', data: { object: { metadata: { agentId: randomUUID() } } } },
  sender: { scheme: 'github', secret: SENDER_SECRET },
}

/** As GitHub signs a body. */
function signatureOf(body: string) {
  const mac = createHmac('sha256', SENDER_SECRET).update(body).digest('hex')
  return { 'x-hub-signature-256': `sha256=${mac}` }
}

/** A key that its agent has proven, and the signature that proves it again. */
async function verifiedIdentifier(agentId: string, owner: Standing) {
  const { privateKey, jwk } = await newEd25519()
  const value = `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`
  const identifier = await owner.identifiers.claim(agentId, { type: 'did', value })
  const signature = await signedBy(privateKey, identifier.challenge ?? '')
  await owner.identifiers.verify(agentId, identifier.id, { signature })
  return { identifier, signature }
}

/** A member, an invitation, an API key and another session of the owner's account. */
async function createPeople(at: TestService, owner: Awaited<ReturnType<typeof newOwner>>) {
  const { member, token } = await newMember(at, owner)
  const invitation = await owner.client.invitations.create({ email: 'invited@example.com' })
  const { id: keyId } = await owner.client.keys.create({ name: 'key', scopes: ['read'] })
  await at.anyone.auth.login({ email: owner.email, password: PASSWORD })
  const [session] = (await owner.client.auth.sessions()).data
  const sessionId = session?.id ?? ''
  return { memberId: member.id, memberToken: token, invitationId: invitation.id, keyId, sessionId }
}

/** Offers of agents: one that the owner made, and two that were made to it. */
async function createOffers(at: TestService, owner: Awaited<ReturnType<typeof newOwner>>) {
  const stranger = await newOwner(at)
  const offer = async (from: typeof owner, to: typeof owner) => {
    const { agent } = await newAgent(at, from)
    const { id } = await from.client.transfers.offer(agent.id, { toOwnerId: to.owner.id })
    return id
  }
  return {
    own: await offer(owner, stranger),
    accepted: await offer(stranger, owner),
    declined: await offer(stranger, owner),
  }
}

/** Subscriptions, and deliveries that have arrived: nothing about them moves by itself. */
async function createWebhooks(owner: Standing) {
  const receiver = await httpReceiver((_request, response) => response.end('thanks'))
  const hook = `http://127.0.0.1:${receiver.port}/`
  await owner.webhooks.create({ url: hook, events: ['agent.status_changed'] })
  const { id } = await owner.webhooks.create({ url: hook, events: ['agent.status_changed'] })
  const { id: listenerId } = await owner.webhooks.listen({ events: ['agent.status_changed'] })
  await owner.webhooks.test(id)
  const { id: deliveryId } = await owner.webhooks.test(id)
  await eventually(async () => {
    const { data } = await owner.webhooks.deliveries(id, { status: 'delivered' })
    if (data.length < 2) {
      throw new Error('the deliveries have not arrived')
    }
  })
  return { hook, receiver, webhookId: id, deliveryId, listenerId }
}

/** One statement that reads how many rows each table holds, and what they add up to. */
async function storedQuery(pool: Pool): Promise<string> {
  const tables = await pool.query(
    // Views, such as those of Citus, are not what the service stores.
    "select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  )
  const names = tables.rows.map((row: { table_name: string }) => row.table_name)
  // A request that is refused was made with a key all the same.
  const row = "(to_jsonb(t) - 'last_used_at')::text"
  const sum = `count(*) || ':' || coalesce(sum(hashtextextended(${row}, 0)), 0)`
  return names
    .filter((name) => !FLEETING.includes(name))
    .map((name) => `select '${name}' as name, ${sum} as state from ${name} t`)
    .join(' union all ')
}

/** What refusals may leave behind, and what nodes write down of themselves. */
const FLEETING = [
  'login_failures',
  'login_successes',
  'quota_requests',
  'delivery_nodes',
  'listeners',
  'delivery_queue_heads',
]
