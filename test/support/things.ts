import { randomUUID } from 'node:crypto'
import type { MappingInput, Standing } from '@standing/sdk'
import { httpReceiver } from '../../src/outbound/testing/receiver.ts'
import { eventually } from './eventually.ts'
import { newEd25519, signedBy } from './identifiers.ts'
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

/** Something of each kind, with those that may use it. */
export interface Things {
  readonly agentId: string
  readonly owner: Awaited<ReturnType<typeof newOwner>>
  /** What each caller shows. */
  readonly headers: Readonly<Record<CallerName, Readonly<Record<string, string>>>>
  /** What another person of the owner's account shows. */
  readonly memberHeaders: Readonly<Record<string, string>>
  /** By the part of a path that ends with the id. */
  readonly ids: Readonly<Record<string, string>>
  /** By the whole path, where an operation takes another thing of the kind. */
  readonly idsOfOperations: Readonly<Record<string, string>>
  /** By the name of a field or parameter of the document's examples. */
  readonly named: Readonly<Record<string, unknown>>
  readonly receiver: { close(): Promise<void> }
}

export async function createThings(at: TestService, number: number): Promise<Things> {
  const owner = await newOwner(at)
  const { agent } = await newAgent(at, owner)
  const { agent: reserve } = await newAgent(at, owner)
  const stranger = await newAgent(at)
  const platform = await newPlatform(at)
  await newPlatform(at)
  for (let i = 0; i < 2; i++) {
    await platform.client.events.submit(agent.id, { type: 'task.failed' })
  }
  const contradictory = { type: 'task.completed', data: { success: false } } as const
  const held = await platform.client.events.submit(agent.id, contradictory)
  await platform.client.events.submit(agent.id, contradictory)
  await untilLimited(owner.client, reserve.id)
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const key = (apiKey: string) => ({ 'x-api-key': apiKey })
  const headers: Things['headers'] = {
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
  return {
    agentId: agent.id,
    owner,
    headers,
    memberHeaders: bearer(memberToken),
    ids,
    idsOfOperations: {
      '/v1/transfers/{id}/accept': offers.accepted,
      '/v1/transfers/{id}/decline': offers.declined,
    },
    named: {
      agentId: agent.id,
      agentIds: [agent.id],
      identifier: identifier.value,
      credentialId: credential.id,
      signature,
      url: hook,
      since: new Date(Date.now() - 3_600_000).toISOString(),
    },
    receiver,
  }
}

/** A bad agent limits those that its owner has in reserve, in the background: nothing moves by itself later. */
function untilLimited(owner: Standing, agentId: string) {
  return eventually(async () => {
    const { score } = await owner.score.get(agentId)
    if (score >= 100) {
      throw new Error('the agent in reserve is not limited yet')
    }
  })
}

export const SENDER_SECRET = 'a secret shared with the sender'

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
