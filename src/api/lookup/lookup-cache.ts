import { canonicalIdentifier } from '../../identifiers/canonical.ts'
import { type Awaitable, andThen } from '../../lib/awaitable.ts'
import { createBoundedMap } from '../../lib/bounded-map.ts'
import { type Cache, createCache } from '../../lib/cache.ts'
import { weakEtagOf } from '../../lib/etag.ts'
import type { Store } from '../../store/store.ts'
import { presentPublicAgent } from '../agents/schema.ts'
import type { CachedScore, ScoreCache } from '../scores/score-cache.ts'

/** A lookup as a response body, with its tag. */
export interface CachedLookup {
  readonly body: string
  readonly etag: string
}

/** The names looked up lately, unknown ones too, so that looking them up again costs no query. */
export interface LookupCache {
  /** At once where all of it is cached. */
  get(identifier: string): Awaitable<CachedLookup>
  getMany(identifiers: readonly string[]): Promise<readonly CachedLookup[]>
  /** Whose a name is. */
  holder(identifier: string): Promise<Holder>
  /** The public part of an agent, as JSON. */
  agent(agentId: string): Awaitable<string | undefined>
  /** Drops a value that was claimed, proven, lost or given up. */
  forgetValue(value: string): void
  /** Drops what is said of an agent itself. */
  forgetAgent(agentId: string): void
  clear(): void
  /** How many bodies are cached. */
  size(): number
}

/** At some hundred bytes each; the oldest entries are evicted. */
const ENTRIES_MAX = 50_000

/** Whose a value is. */
export interface Holder {
  readonly match: 'verified' | 'claimed' | 'unknown'
  readonly agentId: string | null
}

/** What a body was made of: it is good for as long as these are. */
interface Parts {
  readonly value: string
  readonly holder: Holder
  readonly agent: string | undefined
  readonly score: CachedScore | null
}

export interface LookupCacheOptions {
  readonly store: Store
  readonly scores: ScoreCache
  readonly now: () => number
  /** For how long a cached value may be used without reading it again. */
  readonly freshMs: () => number
}

export function createLookupCache(options: LookupCacheOptions): LookupCache {
  const { scores } = options
  const holders = createHolderCache(options)
  const agents = createAgentCache(options)
  const bodies = createBoundedMap<string, Parts & CachedLookup>(ENTRIES_MAX)

  /** The body made before, where nothing of it has changed since. */
  function respond(identifier: string, parts: Parts): CachedLookup {
    const { holder, agent, score } = parts
    const before = bodies.get(identifier)
    if (before?.holder === holder && before.agent === agent && before.score === score) {
      return before
    }
    const body = bodyOf(identifier, parts)
    const made = { ...parts, body, etag: weakEtagOf(body) }
    bodies.set(identifier, made)
    return made
  }

  return {
    get(identifier) {
      const value = bodies.get(identifier)?.value ?? canonicalIdentifier(identifier)
      return andThen(holders.get(value), (holder = UNKNOWN) => {
        const { agentId } = holder
        if (agentId === null) {
          return respond(identifier, { value, holder, agent: undefined, score: null })
        }
        return andThen(agents.get(agentId), (agent) =>
          andThen(scores.get(agentId), (score) =>
            respond(identifier, { value, holder, agent, score }),
          ),
        )
      })
    },
    async getMany(identifiers) {
      const values = identifiers.map(canonicalIdentifier)
      const found = await holders.getMany([...new Set(values)])
      const ids = [...new Set([...found.values()].flatMap(({ agentId }) => agentId ?? []))]
      const [agent, score] = await Promise.all([agents.getMany(ids), scores.getMany(ids)])
      return identifiers.map((identifier, i) => {
        const value = values[i] ?? ''
        const holder = found.get(value) ?? UNKNOWN
        const id = holder.agentId ?? ''
        const parts = { agent: agent.get(id), score: score.get(id) ?? null }
        return respond(identifier, { value, holder, ...parts })
      })
    },
    async holder(identifier) {
      return (await holders.get(canonicalIdentifier(identifier))) ?? UNKNOWN
    },
    agent: agents.get,
    forgetValue: holders.invalidate,
    forgetAgent: agents.invalidate,
    clear() {
      holders.clear()
      agents.clear()
      bodies.clear()
    },
    size: bodies.size,
  }
}

const UNKNOWN: Holder = { match: 'unknown', agentId: null }
const CLAIMED: Holder = { match: 'claimed', agentId: null }

/** A value that nobody claims is cached as well. */
function createHolderCache({ store, now, freshMs }: LookupCacheOptions): Cache<Holder> {
  return createCache<Holder>({
    async read(values) {
      const found = await store.identifiers.holders(values)
      return new Map(values.map((value) => [value, holderOf(found.get(value))]))
    },
    isFresh: (_holder, ageMs) => ageMs < freshMs(),
    now,
    sizeMax: ENTRIES_MAX,
  })
}

function holderOf(agentId: string | null | undefined): Holder {
  if (agentId === undefined) {
    return UNKNOWN
  }
  return agentId === null ? CLAIMED : { match: 'verified', agentId }
}

/** The public part of agents, as JSON. */
function createAgentCache({ store, now, freshMs }: LookupCacheOptions): Cache<string> {
  return createCache<string>({
    async read(ids) {
      const agents = await store.agents.findMany(ids)
      return new Map(agents.map((agent) => [agent.id, JSON.stringify(presentPublicAgent(agent))]))
    },
    isFresh: (_agent, ageMs) => ageMs < freshMs(),
    now,
    sizeMax: ENTRIES_MAX,
  })
}

/** The agent and the score are JSON text already. */
function bodyOf(identifier: string, { holder, agent = 'null', score }: Parts): string {
  const name = JSON.stringify(identifier)
  const body = score?.body ?? 'null'
  return `{"identifier":${name},"match":"${holder.match}","agent":${agent},"score":${body}}`
}
