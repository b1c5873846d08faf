import { generateKeyPairSync, sign } from 'node:crypto'
import { payment, task } from '../../../cli/src/demo/outcomes.ts'
import { createRandom } from '../../../cli/src/demo/random.ts'
import { type Caller, callAs } from './caller.ts'

const DAY_MS = 86_400_000

export interface Clock {
  readonly now: () => number
  moveTo(time: number): void
}

/** What came of the seed: who may sign in to look at it. */
export interface Seeded {
  readonly owner: { readonly email: string; readonly password: string; readonly token: string }
  readonly platformKey: string
  readonly agents: Readonly<Record<string, string>>
  readonly credentials: { readonly valid: string; readonly revoked: string }
}

/** An agent by how it does: so many reports a day, so many of them bad, in a span of days. */
interface Story {
  readonly name: string
  readonly since: number
  readonly perDay: number
  readonly failing: (day: number) => number
  readonly pays: boolean
  readonly until?: number
  /** Of another owner: a bad agent limits where the next one of the same owner starts. */
  readonly isOfAnother?: boolean
}

/** Days are counted back from today: 0 is today. */
const STORIES: readonly Story[] = [
  { name: 'Atlas Invoicing', since: 365, perDay: 5, failing: () => 0.005, pays: true },
  {
    name: 'Beacon Research',
    since: 200,
    perDay: 4,
    failing: (day) => (day < 70 && day > 48 ? 0.3 : 0.02),
    pays: true,
  },
  { name: 'Courier Dispatch', since: 150, perDay: 6, failing: () => 0.09, pays: false },
  {
    name: 'Drift Translator',
    since: 120,
    perDay: 4,
    failing: (day) => (day < 18 ? 0.2 : 0.03),
    pays: false,
  },
  {
    name: 'Ember Scraper',
    since: 60,
    perDay: 5,
    failing: () => 0.4,
    pays: true,
    isOfAnother: true,
  },
  { name: 'Fern Onboarding', since: 6, perDay: 2, failing: () => 0, pays: false },
  { name: 'Granite Backup', since: 180, perDay: 3, failing: () => 0.01, pays: false, until: 45 },
]

export interface SeedOptions {
  /** How far back it goes at most; all of it takes half a minute. */
  readonly days: number
  readonly url: string
  readonly operatorKey: string
  readonly clock: Clock
  /** Where webhooks are posted to. */
  readonly hookUrl: string
}

/** Some months of several agents, reported by two marketplaces, up to this moment. */
export async function seed(options: SeedOptions): Promise<Seeded> {
  const { url, operatorKey, clock, hookUrl, days } = options
  const stories = STORIES.map((story) => ({ ...story, since: Math.min(story.since, days) }))
  const today = clock.now()
  const random = createRandom(20_260_615)
  const operator = callAs(url, operatorKey)
  const first = Math.max(...stories.map(({ since }) => since)) + 1
  clock.moveTo(today - first * DAY_MS)
  const password = 'correct horse battery staple'
  const email = 'ada@example.com'
  const another = 'marie@example.com'
  const anyone = callAs(url, null)
  await anyone.post('/v1/auth/register', { email, password, name: 'Ada Lovelace' })
  await anyone.post('/v1/auth/register', { email: another, password, name: 'Marie Curie' })
  const platforms = await Promise.all(
    ['Northwind Market', 'Harbor Exchange'].map((name) =>
      operator.post('/v1/operator/platforms', { name, verified: true }),
    ),
  )
  const reporters = platforms.map(({ apiKey }) => callAs(url, String(apiKey)))
  const agents: Record<string, string> = {}
  for (let day = first; day >= 0; day--) {
    clock.moveTo(today - day * DAY_MS - 10 * 3_600_000 + Math.floor(random() * 3_600_000))
    for (const story of stories.filter(({ since }) => since === day)) {
      const owner = await logIn(url, story.isOfAnother ? another : email, password)
      const { id } = await owner.post('/v1/agents', { displayName: story.name })
      agents[story.name] = String(id)
    }
    for (const [i, reporter] of reporters.entries()) {
      clock.moveTo(clock.now() + 3_600_000 + Math.floor(random() * 3_600_000))
      for (const story of stories) {
        await reportDay(reporter, story, { day, part: i, random, agents })
      }
    }
  }
  const owner = await logIn(url, email, password)
  const credentials = await furnish(owner, agents, hookUrl)
  const other = await logIn(url, another, password)
  await other.patch(`/v1/agents/${agents['Ember Scraper']}`, { publicProfile: true })
  await other.post(`/v1/agents/${agents['Ember Scraper']}/transfers`, { toOwnerEmail: email })
  await quarantine(reporters, agents, clock.now())
  await reporters[0]?.put('/v1/policies/purchases', { minScore: 650, minConfidence: 'medium' })
  await decide(reporters[0], agents)
  await review(operator, owner)
  return {
    owner: { email, password, token: owner.credential ?? '' },
    platformKey: String(platforms[0]?.apiKey),
    agents,
    credentials,
  }
}

interface Day {
  readonly day: number
  readonly part: number
  readonly random: () => number
  readonly agents: Readonly<Record<string, string>>
}

async function reportDay(reporter: Caller, story: Story, { day, part, random, agents }: Day) {
  const id = agents[story.name]
  if (!id || day < (story.until ?? 0)) {
    return
  }
  const count = Math.round(story.perDay * (0.3 + random()) * (part === 0 ? 0.65 : 0.35))
  if (count === 0) {
    return
  }
  const events = Array.from({ length: count }, () => {
    const isBad = random() < story.failing(day)
    return story.pays && random() < 0.4 ? payment(isBad, random) : task(isBad, random)
  })
  await reporter.post(`/v1/agents/${id}/events/batch`, { events })
}

/** Credentials and webhooks. */
async function furnish(
  owner: Caller,
  agents: Readonly<Record<string, string>>,
  hookUrl: string,
): Promise<Seeded['credentials']> {
  const atlas = agents['Atlas Invoicing'] ?? ''
  for (const name of [
    'Atlas Invoicing',
    'Courier Dispatch',
    'Drift Translator',
    'Fern Onboarding',
  ]) {
    await owner.patch(`/v1/agents/${agents[name]}`, { publicProfile: true })
  }
  const audit = await owner.post('/v1/credentials', {
    agentId: atlas,
    type: 'SecurityAudit',
    claims: { auditor: 'Example Labs', grade: 'A' },
  })
  await owner.post('/v1/credentials', {
    agentId: atlas,
    type: 'KycVerified',
    claims: { level: 2 },
  })
  const old = await owner.post('/v1/credentials', { agentId: atlas, type: 'Iso27001', claims: {} })
  await owner.delete(`/v1/credentials/${old.id}`, { reason: 'The certificate was withdrawn.' })
  await owner.post('/v1/webhooks', {
    url: `${hookUrl}/hooks/standing`,
    events: ['score.changed', 'event.quarantined'],
    description: 'Tells our chat of every score that moves.',
  })
  await owner.post('/v1/webhooks', { url: `${hookUrl}/broken`, events: ['*'] })
  await nameElsewhere(owner, atlas)
  await owner.post('/v1/invitations', { email: 'grace@example.com', role: 'viewer' })
  await owner.post('/v1/keys', { name: 'billing server', scopes: ['read'] })
  return { valid: String(audit.id), revoked: String(old.id) }
}

/** A DID that is proven by its key, and a domain that is only claimed. */
async function nameElsewhere(owner: Caller, agentId: string): Promise<void> {
  const path = `/v1/agents/${agentId}/identifiers`
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const jwk = JSON.stringify(publicKey.export({ format: 'jwk' }))
  const value = `did:jwk:${Buffer.from(jwk).toString('base64url')}`
  const { id, challenge } = await owner.post(path, { type: 'did', value })
  const signature = sign(null, Buffer.from(String(challenge)), privateKey).toString('base64url')
  await owner.post(`${path}/${id}/verify`, { signature })
  await owner.post(path, { type: 'domain', value: 'atlas.example.com' })
}

/** Events that the rules hold, some of them decided and one appealed. */
async function quarantine(
  [north, harbor]: readonly Caller[],
  agents: Readonly<Record<string, string>>,
  now: number,
): Promise<void> {
  const large = { type: 'payment.completed', data: { amount: 92_000, currency: 'USD' } }
  const held = [
    [north, 'Beacon Research', { type: 'task.completed', data: { success: false } }],
    [north, 'Atlas Invoicing', large],
    [
      harbor,
      'Courier Dispatch',
      { type: 'task.completed', data: { success: false, duration: 900 } },
    ],
    [north, 'Drift Translator', { type: 'task.failed', data: { success: true } }],
    [harbor, 'Drift Translator', { type: 'task.failed', data: { success: true, duration: 12 } }],
    [harbor, 'Atlas Invoicing', { type: 'task.completed', data: { success: false } }],
  ] as const
  for (const [reporter, name, event] of held) {
    await reporter?.post(`/v1/agents/${agents[name]}/events`, event)
  }
  const from = now - 3_600_000
  const copies = Array.from({ length: 14 }, (_, i) => ({
    type: 'task.completed',
    data: { duration: 48_213 },
    occurredAt: new Date(from + i * 4_000).toISOString(),
  }))
  await harbor?.post(`/v1/agents/${agents['Ember Scraper']}/events/batch`, { events: copies })
}

/** What a platform's programs ask before they deal with agents. */
async function decide(
  platform: Caller | undefined,
  agents: Readonly<Record<string, string>>,
): Promise<void> {
  const names = ['Atlas Invoicing', 'Ember Scraper', 'Beacon Research', 'Fern Onboarding']
  for (const [i, name] of names.entries()) {
    const about = { agentId: agents[name], amount: 20 * (i + 1), policy: 'purchases' }
    await platform?.post('/v1/decisions', about)
  }
  await platform?.post('/v1/decisions', { identifier: 'did:web:courier.example.com' })
  const subject = { type: 'agent', id: agents['Courier Dispatch'] }
  const resource = { type: 'order', id: '4711' }
  await platform?.post('/access/v1/evaluation', { subject, action: { name: 'deliver' }, resource })
}

/** The operator decides on the first two; the owner appeals the one that was upheld. */
async function review(operator: Caller, owner: Caller): Promise<void> {
  const { data } = await operator.get('/v1/operator/reviews')
  const [released, upheld] = data as readonly { readonly id: string }[]
  await operator.post(`/v1/operator/events/${released?.id}/review`, {
    decision: 'released',
    reason: 'Confirmed with the reporter.',
  })
  await operator.post(`/v1/operator/events/${upheld?.id}/review`, {
    decision: 'upheld',
    reason: 'The task is marked as failed.',
  })
  await owner.post(`/v1/events/${upheld?.id}/appeal`, {
    statement: 'It failed at first, was repeated and then done.',
  })
}

async function logIn(url: string, email: string, password: string): Promise<Caller> {
  const { token } = await callAs(url, null).post('/v1/auth/login', { email, password })
  return callAs(url, String(token))
}
