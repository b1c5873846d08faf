import { type StripDay, stripDays } from '@standing/design/strip.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../domain/error.ts'
import { type EventType, isHandover, LOG_TYPES } from '../../domain/event.ts'
import { DAY_MS } from '../../domain/time.ts'
import { createCache } from '../../lib/cache.ts'
import type { Store } from '../../store/store.ts'
import { presentPublicAgent } from '../agents/present.ts'
import { presentCredential } from '../credentials/present.ts'
import type { presentScore } from '../scores/present.ts'
import type { ScoreCache } from '../scores/score-cache.ts'
import { time } from '../wire.ts'

/** About a quarter of a year, as one row of marks. */
const DAYS = 90

/** A busy agent has half a million events in 90 days; more than these are not counted for a visitor. */
const EVENTS_COUNTED_MAX = 20_000

/** The days of an agent are counted at most once a minute. */
const DAYS_FRESH_MS = 60_000

/** At some 5 KB each. */
const DAYS_CACHED_MAX = 1_000

/** More than most agents have; the newest are shown. */
const CREDENTIALS_MAX = 20

export type Profiles = ReturnType<typeof createProfiles>

/** Reads what anyone may see of the agents whose owners have made them public. */
export function createProfiles({
  store,
  now,
  scores,
}: Pick<Context, 'store' | 'now'> & { readonly scores: ScoreCache }) {
  const days = createCache<readonly StripDay[]>({
    read: async ([agentId = '']) => new Map([[agentId, await countDays(store, agentId, now())]]),
    isFresh: (_, ageMs) => ageMs < DAYS_FRESH_MS,
    now,
    sizeMax: DAYS_CACHED_MAX,
  })

  async function find(agentId: string) {
    const agent = await store.agents.find({ id: agentId })
    if (!agent?.hasPublicProfile || agent.status === 'deactivated') {
      throw notFound('public profile')
    }
    const at = now()
    const active = { agentId, status: 'active', asOf: at } as const
    const [score, owner, agents, credentials, counted] = await Promise.all([
      scores.get(agentId),
      store.owners.find({ id: agent.ownerId }),
      store.agents.count({ ownerId: agent.ownerId }),
      store.credentials.list(active, null, CREDENTIALS_MAX),
      days.get(agentId),
    ])
    if (!score || !owner) {
      throw notFound('public profile')
    }
    return {
      agent: presentPublicAgent(agent),
      // The same until it may differ, so that an unchanged profile keeps its tag.
      score: JSON.parse(score.body) as ReturnType<typeof presentScore>,
      days: counted ?? [],
      credentials: credentials.rows.map((row) => shown(presentCredential(row, at))),
      owner: { name: owner.name, registeredAt: time(owner.createdAt), agents },
    }
  }

  return { find }
}

function shown(credential: ReturnType<typeof presentCredential>) {
  const { id, type, assertedBy, issuedAt, expiresAt } = credential
  return { id, type, assertedBy, issuedAt, expiresAt }
}

/** What the service records of itself is no good or bad day. */
function isOutcome({ type }: { readonly type: EventType }): boolean {
  return !isHandover(type)
}

async function countDays(store: Store, agentId: string, now: number) {
  const since = now - DAYS * DAY_MS
  const agentState = await store.agentStates.find({ agentId })
  const after = Math.max(0, (agentState?.seq ?? 0) - EVENTS_COUNTED_MAX)
  const counts = await store.events.daily(agentId, since, after)
  const first = Math.min(...counts.map(({ day }) => day))
  return stripDays(
    counts.filter(isOutcome).map(({ day, type, count }) => ({
      day: time(day * DAY_MS).slice(0, 10),
      impact: LOG_TYPES[type].impact,
      count,
    })),
    // The first day of those that were counted may not have been counted from its beginning.
    { now, days: DAYS, knownSince: after === 0 ? since : (first + 1) * DAY_MS },
  )
}
