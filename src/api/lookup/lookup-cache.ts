import type { Mode } from '../../domain/mode.ts'
import { canonicalIdentifier } from '../../identifiers/canonical.ts'
import { type Awaitable, andThen } from '../../lib/awaitable.ts'
import { createBoundedMap } from '../../lib/bounded-map.ts'
import { type Cache, createCache } from '../../lib/cache.ts'
import { weakEtagOf } from '../../lib/etag.ts'
import { inSlices } from '../../lib/slices.ts'
import type { Store } from '../../store/store.ts'
import { presentPublicAgent } from '../agents/present.ts'
import { IDENTIFIER_CHARS_MAX } from '../identifiers/schema.ts'
import type { CachedScore, ScoreCache } from '../scores/score-cache.ts'
import { Id } from '../wire.ts'

/** A lookup as a response body, with its tag. */
export interface CachedLookup {
  readonly body: string
  readonly etag: string
}

/** The names looked up lately, unknown ones too, so that looking them up again costs no query. */
export interface LookupCache {
  /** At once where all of it is cached. */
  get(identifier: string, mode: Mode): Awaitable<CachedLookup>
  getMany(identifiers: readonly string[], mode: Mode): Promise<readonly CachedLookup[]>
  /** The agent that a name belongs to in this mode. */
  holder(identifier: string, mode: Mode): Promise<Holder>
  /** The agents that names belong to, by these names. Those that are not cached are read in one statement. */
  holders(identifiers: readonly string[], mode: Mode): Promise<ReadonlyMap<string, Holder>>
  /** The public part of an agent, as JSON. */
  agent(agentId: string): Awaitable<string | undefined>
  /** Drops a value that was claimed, proven, lost or given up. */
  invalidateValue(value: string): void
  /** Drops the public part of an agent. */
  invalidateAgent(agentId: string): void
  clear(): void
  /** How many bodies are cached. */
  size(): number
}

/** At some hundred bytes each; the oldest entries are evicted. */
const ENTRIES_MAX = 50_000

/** The agent that a value belongs to. */
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
  function respond(identifier: string, mode: Mode, parts: Parts): CachedLookup {
    const { holder, agent, score } = parts
    const key = keyOf(identifier, mode)
    const before = bodies.get(key)
    if (before?.holder === holder && before.agent === agent && before.score === score) {
      return before
    }
    const body = bodyOf(identifier, parts)
    const made = { ...parts, body, etag: weakEtagOf(body) }
    bodies.set(key, made)
    return made
  }

  return {
    get(identifier, mode) {
      const known = bodies.get(keyOf(identifier, mode))
      const value = known?.value ?? canonicalIdentifier(identifier)
      return andThen(holders.get(keyOf(value, mode)), (holder = UNKNOWN) => {
        const { agentId } = holder
        if (agentId === null) {
          return respond(identifier, mode, { value, holder, agent: undefined, score: null })
        }
        return andThen(agents.get(agentId), (agent) =>
          andThen(scores.get(agentId), (score) =>
            respond(identifier, mode, { value, holder, agent, score }),
          ),
        )
      })
    },
    async getMany(identifiers, mode) {
      const values = identifiers.map((one) => keyOf(canonicalIdentifier(one), mode))
      const found = await holders.getMany([...new Set(values)])
      const ids = [...new Set([...found.values()].flatMap(({ agentId }) => agentId ?? []))]
      const [agent, score] = await Promise.all([agents.getMany(ids), scores.getMany(ids)])
      return identifiers.map((identifier, i) => {
        const value = values[i] ?? ''
        const holder = found.get(value) ?? UNKNOWN
        const id = holder.agentId ?? ''
        const parts = { agent: agent.get(id), score: score.get(id) ?? null }
        return respond(identifier, mode, { value: nameOf(value), holder, ...parts })
      })
    },
    async holder(identifier, mode) {
      const key = identifierKey(identifier, mode)
      return (key === null ? null : await holders.get(key)) ?? UNKNOWN
    },
    async holders(identifiers, mode) {
      const keys = new Map<string, string | null>()
      for await (const identifier of inSlices(identifiers)) {
        keys.set(identifier, identifierKey(identifier, mode))
      }
      const known = [...keys.values()].filter((key) => key !== null)
      const found = await holders.getMany([...new Set(known)])
      return new Map(
        [...keys].map(([identifier, key]) => [identifier, found.get(key ?? '') ?? UNKNOWN]),
      )
    },
    agent: agents.get,
    invalidateValue(value) {
      holders.invalidate(value)
      holders.invalidate(keyOf(value, 'test'))
    },
    invalidateAgent: agents.invalidate,
    clear() {
      holders.clear()
      agents.clear()
      bodies.clear()
    },
    size: bodies.size,
  }
}

/** The agents with these ids, or that have proven these names in this mode, by these ids and names. */
export async function agentIdsOf(
  names: LookupCache,
  idsOrNames: readonly string[],
  mode: Mode,
): Promise<ReadonlyMap<string, string>> {
  const agents = new Map<string, string>()
  const asked: string[] = []
  for await (const one of inSlices(new Set(idsOrNames))) {
    const id = Id.safeParse(one)
    if (id.success) {
      agents.set(one, id.data)
    } else {
      asked.push(one)
    }
  }
  for (const [name, { agentId }] of await names.holders(asked, mode)) {
    if (agentId !== null) {
      agents.set(name, agentId)
    }
  }
  return agents
}

/** Null for what is too long: bodies name agents, and a cache of their texts could take any amount of memory. */
function identifierKey(identifier: string, mode: Mode): string | null {
  const isName = identifier.length <= IDENTIFIER_CHARS_MAX
  return isName ? keyOf(canonicalIdentifier(identifier), mode) : null
}

/** Names of test agents are cached with the live ones, prefixed by a character that no name has. */
const TEST_MARK = '\n'

function keyOf(name: string, mode: Mode): string {
  return mode === 'test' ? TEST_MARK + name : name
}

function isTestKey(key: string): boolean {
  return key.startsWith(TEST_MARK)
}

function nameOf(key: string): string {
  return isTestKey(key) ? key.slice(1) : key
}

const UNKNOWN: Holder = { match: 'unknown', agentId: null }
const CLAIMED: Holder = { match: 'claimed', agentId: null }

/** Values without a claim are cached as well. */
function createHolderCache({ store, now, freshMs }: LookupCacheOptions): Cache<Holder> {
  return createCache<Holder>({
    async read(keys) {
      const holders = new Map<string, Holder>()
      for (const mode of ['live', 'test'] as const) {
        const some = keys.filter((key) => isTestKey(key) === (mode === 'test'))
        const found = some.length > 0 && (await store.identifiers.holders(some.map(nameOf), mode))
        for (const key of some) {
          holders.set(key, holderOf(found ? found.get(nameOf(key)) : undefined))
        }
      }
      return holders
    },
    isFresh: (_holder, ageMs) => ageMs < freshMs(),
    now,
    sizeMax: ENTRIES_MAX,
    readsTogether: true,
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
    readsTogether: true,
  })
}

/** The agent and the score are JSON text already. */
function bodyOf(identifier: string, { holder, agent = 'null', score }: Parts): string {
  const name = JSON.stringify(identifier)
  const body = score?.body ?? 'null'
  return `{"identifier":${name},"match":"${holder.match}","agent":${agent},"score":${body}}`
}
