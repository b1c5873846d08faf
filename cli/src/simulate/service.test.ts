import { expect, test } from 'vitest'
import { below, type Chance, chanceOf, pick } from '../../../src/domain/testing/chance.ts'
import { drawn } from '../../../test/support/cases.ts'
import { createTestClock } from '../../../test/support/clock.ts'
import { send } from '../../../test/support/http.ts'
import { newOwner, OPERATOR_KEY, PASSWORD, startService } from '../../../test/support/service.ts'
import { DEFAULT_SETTINGS } from './settings.ts'
import type { Answer } from './simulator.ts'
import { answersTo, verified } from './testing/run.ts'

const LIMITS = { eventsPerAgentHour: 6, eventsPerPlatformHour: 9 }
const START = Date.parse('2026-01-01T00:00:00.000Z')
const clock = createTestClock(new Date(START).toISOString())
const at = await startService(
  {
    STANDING_EVENTS_PER_AGENT_HOUR: String(LIMITS.eventsPerAgentHour),
    STANDING_EVENTS_PER_PLATFORM_HOUR: String(LIMITS.eventsPerPlatformHour),
  },
  { now: clock.now },
)

interface StreamLine {
  readonly at: string
  readonly agent?: string
  readonly by?: string
  readonly type?: string
  readonly data?: { readonly credentialId?: string; readonly credentialType?: string }
  readonly issue?: string
  readonly deactivate?: string
  readonly ask?: string
}

const AGENTS = ['a1', 'a2', 'a3', 'a4']
const OWNER_OF = { a1: 'o1', a2: 'o2', a3: 'o3', a4: 'o4', next: 'o4' } as const
const PLATFORMS = ['p1', 'p2', 'p3', 'p4', 'own'] as const
const VERIFIED: readonly string[] = ['p1', 'p2']

/** Events of all types, names said twice, floods, copies, credentials, an agent given up for another. */
function stream(seed: number, count: number): readonly StreamLine[] {
  const chance = chanceOf(seed)
  const lines: StreamLine[] = []
  let now = START
  const time = () => new Date(now).toISOString()
  for (let i = 0; i < count; i++) {
    now += pick(chance, [60_000, 300_000, 3_600_000, 5 * 3_600_000, 40 * 3_600_000])
    const living = i < (2 * count) / 3 ? AGENTS : [...AGENTS.slice(0, 3), 'next']
    const agent = pick(chance, living)
    if (i === Math.floor((2 * count) / 3)) {
      lines.push({ at: time(), deactivate: 'a4' }, { at: time(), ask: 'next' })
    }
    if (i % 40 === 9) {
      const type = pick(chance, ['KycVerified', 'Audit'])
      lines.push({ at: time(), issue: agent, by: 'owner', type })
      const data = { credentialId: `${agent}/owner/${type}`, credentialType: type }
      lines.push({
        at: time(),
        agent,
        by: pick(chance, PLATFORMS),
        type: 'credential.issued',
        data,
      })
      continue
    }
    lines.push({ at: time(), agent, by: reporterOf(chance), ...eventOf(chance, agent, now) })
    if (i % 12 === 11) {
      lines.push({ at: time(), ask: agent })
    }
  }
  return [...lines, ...[...AGENTS, 'next'].map((ask) => ({ at: time(), ask }))]
}

function reporterOf(chance: Chance): string {
  return chance() < 0.15 ? 'self' : pick(chance, PLATFORMS)
}

function eventOf(chance: Chance, agent: string, now: number) {
  const isGood = chance() < (agent === 'a4' ? 0.1 : 0.9)
  const late = pick(chance, [0, 3_600_000, 5 * 86_400_000, 31 * 86_400_000])
  const named = chance() < 0.3 ? { externalId: `job-${below(chance, 40)}` } : {}
  const dated = chance() < 0.3 ? { occurredAt: new Date(now - late).toISOString() } : {}
  return { ...named, ...dated, ...pick(chance, isGood ? GOOD : BAD)(chance) }
}

const GOOD: readonly ((chance: Chance) => object)[] = [
  () => ({ type: 'task.completed' }),
  (chance) => ({ type: 'task.completed', data: { duration: below(chance, 5000), success: true } }),
  (chance) => ({
    type: 'task.completed',
    data: { difficulty: 1 + below(chance, 3), taskClass: pick(chance, ['translation', 'search']) },
  }),
  () => ({ type: 'payment.completed', data: { amount: 149.37, currency: 'EUR' } }),
  (chance) => ({ type: 'payment.completed', data: { amount: below(chance, 500) } }),
  () => ({ type: 'uptime.report', data: { uptimePercentage: 99.95 } }),
]

const BAD: readonly ((chance: Chance) => object)[] = [
  () => ({ type: 'task.failed' }),
  () => ({ type: 'task.timeout', data: { success: true } }),
  (chance) => ({ type: 'payment.late', data: { amount: 30, daysLate: 1 + below(chance, 40) } }),
  (chance) => ({ type: 'payment.disputed', data: { amount: 100 + below(chance, 900) } }),
  () => ({ type: 'error.reported', data: { severity: 'critical' } }),
]

type Counts = Pick<Answer, 'accepted' | 'quarantined' | 'refused'>

/** Sends each line to the service at its time, and asks it like the simulation. */
async function served(lines: readonly StreamLine[]): Promise<readonly object[]> {
  const owners = new Map<string, Awaited<ReturnType<typeof newOwner>>>()
  for (const name of new Set(Object.values(OWNER_OF))) {
    owners.set(name, await newOwner(at))
  }
  const keys = new Map<string, string>()
  for (const name of PLATFORMS) {
    const ownerId = name === 'own' ? { ownerId: owners.get('o1')?.owner.id ?? '' } : {}
    const json = { name, verified: VERIFIED.includes(name), ...ownerId }
    const { body } = await send(`${at.url}/v1/operator/platforms`, { headers: OPERATOR, json })
    keys.set(name, body.apiKey)
  }
  const agents = new Map<string, { readonly id: string; readonly apiKey: string }>()
  const credentials = new Map<string, string>()
  const counts = new Map<string, Counts>()
  const answers: object[] = []

  /** Tokens end after a day of the virtual clock. */
  async function tokenOf(agent: string): Promise<string> {
    const email = owners.get(OWNER_OF[agent as keyof typeof OWNER_OF])?.email ?? ''
    return (await at.anyone.auth.login({ email, password: PASSWORD })).token
  }

  async function agentOf(name: string) {
    const known = agents.get(name)
    if (known) {
      return known
    }
    const json = { displayName: name }
    const { body } = await send(`${at.url}/v1/agents`, { key: await tokenOf(name), json })
    agents.set(name, body)
    return body as { id: string; apiKey: string }
  }

  function note(
    agent: string,
    { status, body }: { status: number; body: { isQuarantined?: boolean } },
  ) {
    const { accepted, quarantined, refused } = counts.get(agent) ?? NONE
    const isNew = status === 201
    counts.set(agent, {
      accepted: accepted + (isNew && !body.isQuarantined ? 1 : 0),
      quarantined: quarantined + (isNew && body.isQuarantined ? 1 : 0),
      refused: refused + (status >= 400 ? 1 : 0),
    })
  }

  async function report(name: string, by: string, line: StreamLine): Promise<void> {
    const { id, apiKey } = await agentOf(name)
    const { at: _at, agent: _agent, by: _by, data, ...event } = line
    const credentialId = credentials.get(data?.credentialId ?? '')
    const json = {
      ...event,
      ...(data && { data: credentialId ? { ...data, credentialId } : data }),
    }
    const path = by === 'self' ? 'events' : `agents/${id}/events`
    const key = by === 'self' ? apiKey : (keys.get(by) ?? '')
    note(name, await send(`${at.url}/v1/${path}`, { headers: { 'x-api-key': key }, json }))
  }

  async function issue(name: string, type: string): Promise<void> {
    const json = { agentId: (await agentOf(name)).id, type, claims: {} }
    const answer = await send(`${at.url}/v1/credentials`, { key: await tokenOf(name), json })
    credentials.set(`${name}/owner/${type}`, answer.body.id)
    note(name, { status: answer.status, body: {} })
  }

  for (const line of lines) {
    clock.moveTo(line.at)
    if (line.ask !== undefined) {
      const { id } = await agentOf(line.ask)
      const { body } = await send(`${at.url}/v1/scores/${id}`, {
        headers: { 'x-api-key': keys.get('p1') ?? '' },
      })
      const { score, classification, confidence, interval, disputed, exposureLimit } = body
      const shown = { score, classification, confidence, interval, disputed, exposureLimit }
      const { accepted, quarantined, refused } = counts.get(line.ask) ?? NONE
      answers.push({ agent: line.ask, ...shown, accepted, quarantined, refused })
      counts.delete(line.ask)
    } else if (line.deactivate !== undefined) {
      const { id } = await agentOf(line.deactivate)
      await send(`${at.url}/v1/agents/${id}`, {
        method: 'DELETE',
        key: await tokenOf(line.deactivate),
      })
    } else if (line.issue !== undefined) {
      await issue(line.issue, line.type ?? '')
    } else {
      await report(line.agent ?? '', line.by ?? '', line)
    }
  }
  return answers
}

const OPERATOR = { 'x-api-key': OPERATOR_KEY }

const NONE: Counts = { accepted: 0, quarantined: 0, refused: 0 }

/** The least with which scores go from bad to good. */
const LINES_MIN = 300

test('the service and a simulation give the same scores, quarantines and refusals', {
  timeout: 120_000,
}, async () => {
  const count = drawn(600, LINES_MIN)
  const lines = stream(3, count)
  const simulated = await answersTo(
    [
      ...verified(...VERIFIED),
      { platform: 'own', owner: 'o1' },
      ...Object.entries(OWNER_OF).map(([agent, owner]) => ({ agent, owner })),
      ...lines,
    ],
    { settings: { ...DEFAULT_SETTINGS, ...LIMITS } },
  )
  const answers = await served(lines)
  expect(simulated.map(({ at: _, ...answer }) => answer)).toEqual(answers)
  const sum = (name: keyof Counts) => simulated.reduce((total, one) => total + one[name], 0)
  // The stream is worth comparing: all outcomes come up often, and scores from bad to good.
  expect(Math.min(sum('accepted'), sum('quarantined'), sum('refused'))).toBeGreaterThan(count / 30)
  const scores = simulated.map(({ score }) => score)
  expect(Math.min(...scores)).toBeLessThan(100)
  expect(Math.max(...scores)).toBeGreaterThan(500)
})
