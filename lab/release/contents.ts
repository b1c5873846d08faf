import type { Standing } from '@standing/sdk'

/** What is in the database of a release, for a later one to find. */
export interface ReleaseContents {
  readonly email: string
  readonly password: string
  readonly agentId: string
  readonly eventCount: number
  readonly credentialId: string
  readonly credentialJwt: string
  /** The hash chain of the agent, and how many events it is over. */
  readonly chain: string
  readonly events: number
  readonly snapshots: number
  readonly policy: string
}

type ClientWith = (credential: {
  readonly token?: string
  readonly apiKey?: string
  readonly operatorKey?: string
}) => Standing

const EMAIL = 'ada@example.com'
const PASSWORD = 'correct horse battery staple'

/** Puts some of everything into a new installation. */
export async function fillRelease(
  client: ClientWith,
  operatorKey: string,
): Promise<ReleaseContents> {
  const { operator } = client({ operatorKey })
  const { token } = await client({}).auth.register({
    email: EMAIL,
    password: PASSWORD,
    name: 'Ada',
  })
  const owner = client({ token })
  const agent = await owner.agents.register({
    displayName: 'invoice-reconciler',
    metadata: { team: 'finance', nested: [1, null, 'ü'] },
  })
  await owner.keys.create({ name: 'billing server', scopes: ['read'] })
  await owner.invitations.create({ email: 'grace@example.com', role: 'viewer' })
  await owner.webhooks.create({ url: 'https://hooks.example.com/secret', events: ['*'] })
  const [market, rival] = await Promise.all(
    ['Market', 'Rival'].map((name) => operator.createPlatform({ name, verified: true })),
  )
  const platform = client({ apiKey: market?.apiKey ?? '' })
  await platform.events.report(agent.id, [
    ...Array.from({ length: 40 }, (_, i) => ({
      type: 'task.completed' as const,
      externalId: `order-${i}`,
      data: { taskClass: 'invoices', difficulty: 2 as const },
    })),
    { type: 'task.failed', data: { success: true } },
    { type: 'payment.completed', data: { amount: 120, currency: 'EUR', counterparty: 'acme' } },
  ])
  await client({ apiKey: rival?.apiKey ?? '' }).events.report(agent.id, [
    { type: 'task.failed', data: { errorCode: 'E42' } },
    { type: 'error.reported', data: { severity: 'low' } },
  ])
  await client({ apiKey: agent.apiKey }).events.report(agent.id, [{ type: 'task.completed' }])
  const { data: pending } = await operator.reviews()
  for (const event of pending) {
    await operator.review(event.id, { decision: 'released', reason: 'It happened.' })
  }
  await platform.policies.put('careful', { minScore: 600, unknown: 'review' })
  const credential = await owner.credentials.issue({
    agentId: agent.id,
    type: 'Audit',
    claims: { grade: 'A' },
  })
  await operator.rotateSigningKey('credentials')
  const score = await owner.score.get(agent.id)
  const { payload } = await owner.score.getReceipt(agent.id)
  const { data: history } = await owner.score.getHistory(agent.id, { limit: 100 })
  return {
    email: EMAIL,
    password: PASSWORD,
    agentId: agent.id,
    eventCount: score.eventCount,
    credentialId: credential.id,
    credentialJwt: credential.jwt,
    chain: payload.chain,
    events: payload.events,
    snapshots: history.length,
    policy: 'careful',
  }
}
