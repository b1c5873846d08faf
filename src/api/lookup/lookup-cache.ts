import type { Mode } from '../../domain/mode.ts'
import { JSON_TYPE, okContent, type Response } from '../../http/response.ts'
import { canonicalIdentifier } from '../../identifiers/canonical.ts'
import { type Awaitable, andThen } from '../../lib/awaitable.ts'
import { createBoundedMap } from '../../lib/bounded-map.ts'
import { type Cache, createCache } from '../../lib/cache.ts'
import { weakEtagOf } from '../../lib/etag.ts'
import { presentPublicAgent } from '../agents/present.ts'
import { PUBLIC_CACHE, VARY_BY_MODE } from '../caching.ts'
import type { CachedScore, ScoreCache } from '../scores/score-cache.ts'
import {
  createHolderCache,
  ENTRIES_MAX,
  type Holder,
  keyOf,
  type NameCacheOptions,
  UNKNOWN,
} from './holder-cache.ts'

/** A lookup as a response body, and as the response to a request for it alone, with its tag. */
export interface CachedLookup {
  readonly body: string
  readonly response: Response
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

/** What a body was made of: it is good for as long as these are. */
interface Parts {
  /** The identifier in its canonical form. */
  readonly value: string
  readonly holder: Holder
  readonly agent: string | undefined
  readonly score: CachedScore | null
}

export function createLookupCache({
  scores,
  ...options
}: NameCacheOptions & { readonly scores: ScoreCache }): LookupCache {
  const holders = createHolderCache(options)
  const agents = createAgentCache(options)
  const bodies = createBodies()
  return {
    get(identifier, mode) {
      const value = bodies.find(identifier, mode)?.value ?? canonicalIdentifier(identifier)
      return andThen(holders.get(value, mode), (holder) => {
        const { agentId } = holder
        if (agentId === null) {
          return bodies.of(identifier, mode, { value, holder, agent: undefined, score: null })
        }
        return andThen(agents.get(agentId), (agent) =>
          andThen(scores.get(agentId), (score) =>
            bodies.of(identifier, mode, { value, holder, agent, score }),
          ),
        )
      })
    },
    async getMany(identifiers, mode) {
      const values = identifiers.map(canonicalIdentifier)
      const found = await holders.getMany(values, mode)
      const ids = [...new Set([...found.values()].flatMap(({ agentId }) => agentId ?? []))]
      const [agent, score] = await Promise.all([agents.getMany(ids), scores.getMany(ids)])
      return identifiers.map((identifier, i) => {
        const value = values[i] ?? ''
        const holder = found.get(value) ?? UNKNOWN
        const id = holder.agentId ?? ''
        const parts = { value, holder, agent: agent.get(id), score: score.get(id) ?? null }
        return bodies.of(identifier, mode, parts)
      })
    },
    holder: holders.find,
    holders: holders.findMany,
    agent: agents.get,
    invalidateValue: holders.invalidate,
    invalidateAgent: agents.invalidate,
    clear() {
      holders.clear()
      agents.clear()
      bodies.clear()
    },
    size: bodies.size,
  }
}

/**
 * The bodies made lately, of identifiers in their canonical form. A name has any number of other spellings, which
 * callers make up, and most callers use none.
 */
interface Bodies {
  find(identifier: string, mode: Mode): Parts | undefined
  /** The body made before, where nothing of it has changed since; otherwise a new one. */
  of(identifier: string, mode: Mode, parts: Parts): CachedLookup
  clear(): void
  size(): number
}

/** Each has the text of a score, two kilobytes: 20 MB. More names than are looked up in the life of a body. */
const BODIES_MAX = 10_000

function createBodies(): Bodies {
  const bodies = createBoundedMap<string, Parts & CachedLookup>(BODIES_MAX)
  return {
    find: (identifier, mode) => bodies.get(keyOf(identifier, mode)),
    of(identifier, mode, parts) {
      const { holder, agent, score } = parts
      const key = keyOf(identifier, mode)
      const before = bodies.get(key)
      if (before?.holder === holder && before.agent === agent && before.score === score) {
        return before
      }
      const body = bodyOf(identifier, parts)
      const made = { ...parts, body, response: responseOf(body) }
      if (identifier === parts.value) {
        bodies.set(key, made)
      }
      return made
    },
    clear: bodies.clear,
    size: bodies.size,
  }
}

/** The public part of agents, as JSON. */
function createAgentCache({ store, now, freshMs }: NameCacheOptions): Cache<string> {
  return createCache<string>({
    async read(ids) {
      const agents = await store.agents.findMany(ids)
      return new Map(
        Array.from(agents, ([id, agent]) => [id, JSON.stringify(presentPublicAgent(agent))]),
      )
    },
    isFresh: (_agent, ageMs) => ageMs < freshMs(),
    now,
    sizeMax: ENTRIES_MAX,
    readsTogether: true,
  })
}

/** Made once for a body: to make its headers for each request took a fiftieth of the time of a lookup. */
function responseOf(body: string): Response {
  const headers = { 'cache-control': PUBLIC_CACHE, ...VARY_BY_MODE, etag: weakEtagOf(body) }
  return okContent(body, JSON_TYPE, headers)
}

/** The agent and the score are JSON text already. */
function bodyOf(identifier: string, { holder, agent = 'null', score }: Parts): string {
  const name = JSON.stringify(identifier)
  const body = score?.body ?? 'null'
  return `{"identifier":${name},"match":"${holder.match}","agent":${agent},"score":${body}}`
}
