import { generateKeyPairSync, sign } from 'node:crypto'
import type { Standing } from '@standing/sdk'
import type { Owners } from './seed.ts'
import type { Market } from './stories.ts'

export interface FurnishOptions {
  readonly operator: Standing
  readonly owners: Owners
  readonly platforms: ReadonlyMap<Market, Standing>
  /** The id of each agent by its name. */
  readonly agents: ReadonlyMap<string, string>
}

/**
 * Adds what an imported past cannot have: credentials, names, policies, webhooks, events to review. Returns
 * the id of a credential.
 */
export async function furnish(options: FurnishOptions): Promise<string> {
  const { owners, platforms } = options
  const idOf = (name: string) => found(options.agents, name)
  const ada = found(owners, 'ada')
  const northwind = found(platforms, 'northwind')
  const credentialId = await credentials(ada, idOf('Atlas Invoicing'))
  await names(ada, idOf('Atlas Invoicing'))
  await northwind.policies.put('purchases', { minScore: 650, minConfidence: 'medium' })
  await decisions(northwind, idOf)
  await ada.webhooks.listen({ events: ['*'] })
  await ada.invitations.create({ email: 'grace@example.com', role: 'viewer' })
  await ada.keys.create({ name: 'billing server', scopes: ['read'] })
  await suspiciousEvents(found(platforms, 'harbor'), northwind, idOf)
  await reviews(options)
  return credentialId
}

function found<K, V>(all: ReadonlyMap<K, V>, key: K): V {
  const value = all.get(key)
  if (value === undefined) {
    throw new Error(`the demo has no ${String(key)}`)
  }
  return value
}

/** What a platform's programs ask before they deal with agents. */
async function decisions(platform: Standing, idOf: (name: string) => string): Promise<void> {
  for (const name of ['Atlas Invoicing', 'Ember Scraper', 'Fern Onboarding']) {
    await platform.decisions.decide({ agentId: idOf(name), amount: 60, policy: 'purchases' })
  }
  await platform.decisions.decide({ identifier: 'did:web:courier.example.com' })
}

/** One that is in force, and one that was revoked. */
async function credentials(owner: Standing, agentId: string): Promise<string> {
  const claims = { auditor: 'Example Labs', grade: 'A' }
  const audit = await owner.credentials.issue({ agentId, type: 'SecurityAudit', claims })
  const old = await owner.credentials.issue({ agentId, type: 'Iso27001', claims: {} })
  await owner.credentials.revoke(old.id, 'The certificate was withdrawn.')
  return audit.id
}

/** A DID that is proven by its key, and a domain that is only claimed. */
async function names(owner: Standing, agentId: string): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const jwk = JSON.stringify(publicKey.export({ format: 'jwk' }))
  const value = `did:jwk:${Buffer.from(jwk).toString('base64url')}`
  const { id, challenge } = await owner.identifiers.claim(agentId, { type: 'did', value })
  const signature = sign(null, Buffer.from(challenge ?? ''), privateKey).toString('base64url')
  await owner.identifiers.verify(agentId, id, { signature })
  await owner.identifiers.claim(agentId, { type: 'domain', value: 'atlas.example.com' })
}

/** Reports that contradict themselves, or are far from anything the agent did before. */
async function suspiciousEvents(
  harbor: Standing,
  northwind: Standing,
  idOf: (name: string) => string,
): Promise<void> {
  const done = { type: 'task.completed', data: { success: false } } as const
  const failed = { type: 'task.failed', data: { success: true } } as const
  const large = { type: 'payment.completed', data: { amount: 92_000, currency: 'USD' } } as const
  await northwind.events.submit(idOf('Beacon Research'), done)
  await northwind.events.submit(idOf('Atlas Invoicing'), large)
  await harbor.events.submit(idOf('Courier Dispatch'), done)
  await harbor.events.submit(idOf('Juniper Legal'), failed)
  await northwind.events.submit(idOf('Drift Translator'), failed)
  await harbor.events.submit(idOf('Atlas Invoicing'), done)
}

/** The operator decides on two; the owner appeals the one that was upheld. The others wait. */
async function reviews({ operator, owners, agents }: FurnishOptions): Promise<void> {
  const { data } = await operator.operator.reviews()
  const beacon = data.find(({ agentId }) => agentId === agents.get('Beacon Research'))
  const courier = data.find(({ agentId }) => agentId === agents.get('Courier Dispatch'))
  if (beacon) {
    const reason = 'Confirmed with the reporter.'
    await operator.operator.review(beacon.id, { decision: 'released', reason })
  }
  if (courier) {
    const reason = 'The task is marked as failed.'
    await operator.operator.review(courier.id, { decision: 'upheld', reason })
    const statement = 'It failed at first, was repeated and then done.'
    await found(owners, 'ada').events.appeal(courier.id, statement)
  }
}
