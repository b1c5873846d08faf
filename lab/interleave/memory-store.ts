import { hexOf } from '../../src/lib/hex.ts'
import { externalKey, type IngestEvents } from '../../src/store/ingest.ts'
import type {
  AgentState,
  IngestResult,
  IngestScope,
  IngestView,
  Store,
  StoredResponse,
} from '../../src/store/store.ts'
import { StoreUnavailable } from '../../src/store/store.ts'
import { createLocks, type Transaction } from './locks.ts'
import type { Scheduler } from './scheduler.ts'

/** What was committed. */
export interface Committed {
  readonly agentStates: Map<string, AgentState>
  readonly platformHours: Map<string, IngestResult['platformHours'][number]['hour']>
  readonly reporters: Map<string, IngestResult['reporters'][number]['record']>
  readonly works: Map<string, IngestResult['works'][number]['stats']>
  readonly known: Map<string, { event: Recorded; digest: Uint8Array }>
  readonly responses: Map<string, StoredResponse>
  /** In the order of their commits. */
  readonly events: Recorded[]
}

type Recorded = IngestResult['events'][number]['event']

/** An in-memory database with the guarantees of the interface: locks, transactions, broken connections. */
export interface MemoryStore {
  readonly committed: Committed
  /** The store as one process sees it. After `crash` its transactions are gone, and it gets no answers. */
  connect(): { readonly store: Store; crash(): void; readonly isDead: () => boolean }
}

export interface MemoryStoreOptions {
  readonly scheduler: Scheduler
  readonly owners: ReadonlySet<string>
  /** Called in the moment of each commit. */
  readonly onCommitted: (result: IngestResult) => void
  /** Bugs to plant, so that the check itself is checked. */
  readonly bugs?: { readonly forgetsResponses?: boolean; readonly skipsLocks?: boolean }
}

/** How often of a hundred transactions: one collides, breaks before its commit, or right after it. */
const COLLIDES = 0.04
const BREAKS = 0.03
const LOSES_ANSWER = 0.05

/** As in the store on PostgreSQL. */
const RUNS_MAX = 6

export function createMemoryStore(options: MemoryStoreOptions): MemoryStore {
  const { scheduler, owners, onCommitted, bugs = {} } = options
  const { chance, step } = scheduler
  const locks = createLocks()
  const committed: Committed = {
    agentStates: new Map(),
    platformHours: new Map(),
    reporters: new Map(),
    works: new Map(),
    known: new Map(),
    responses: new Map(),
    events: [],
  }

  /** Locks in the order in which every transaction does: keys, agents, platforms, reporters. */
  async function lockAll(transaction: Transaction, scope: IngestScope, isDead: () => boolean) {
    const busy = new Set<string>()
    for (const one of scope.reportKeys.map(({ scope: key }) => hexOf(key))) {
      if (!bugs.skipsLocks && !locks.tryTake(transaction, `key ${one}`)) {
        busy.add(one)
      }
    }
    const lockedElsewhere = new Set<string>()
    for (const agentId of scope.agentIds.toSorted()) {
      if (bugs.skipsLocks || locks.tryTake(transaction, `agent ${agentId}`)) {
        continue
      }
      if (scope.skipsLocked) {
        lockedElsewhere.add(agentId)
      } else {
        await locks.take(transaction, `agent ${agentId}`)
        await step(isDead)
      }
    }
    const others = [
      ...scope.platformIds.toSorted().map((id) => `hour ${id}`),
      ...scope.reporterIds.toSorted().map((id) => `reporter ${id}`),
    ]
    for (const name of bugs.skipsLocks ? [] : others) {
      await locks.take(transaction, name)
      await step(isDead)
    }
    return { busy, lockedElsewhere }
  }

  function read(
    scope: IngestScope,
    { busy, lockedElsewhere }: { busy: Set<string>; lockedElsewhere: Set<string> },
  ): IngestView {
    const free = scope.agentIds.filter((id) => !lockedElsewhere.has(id))
    const stored = scope.reportKeys
      .map(({ scope: key }) => hexOf(key))
      .flatMap((one) => {
        const found = busy.has(one) ? ('busy' as const) : committed.responses.get(one)
        return found === undefined ? [] : [[one, found] as const]
      })
    return {
      agentStates: only(committed.agentStates, free),
      lockedElsewhere,
      platformHours: only(committed.platformHours, scope.platformIds),
      reporters: only(committed.reporters, scope.reporterIds),
      works: only(committed.works, scope.workKinds),
      known: only(committed.known, scope.externalIds.map(externalKey)),
      storedResponses: new Map(stored),
      establishedPlatforms: 0,
      credentials: new Map(),
      endorsements: [],
      ownersWithSubscribers: owners,
    }
  }

  function commit(result: IngestResult): void {
    for (const agentState of result.agentStates) {
      committed.agentStates.set(agentState.agentId, agentState)
    }
    for (const { platformId, hour } of result.platformHours) {
      committed.platformHours.set(platformId, hour)
    }
    for (const { platformId, record } of result.reporters) {
      committed.reporters.set(platformId, record)
    }
    for (const { kind, stats } of result.works) {
      committed.works.set(kind, stats)
    }
    for (const { event, name, digest } of result.events) {
      committed.events.push(event)
      if (name !== null && digest) {
        const { reporter, agentId } = event
        const key = externalKey({ reporterId: reporter.id, agentId, externalId: name })
        committed.known.set(key, { event, digest })
      }
    }
    for (const response of bugs.forgetsResponses ? [] : result.storedResponses) {
      committed.responses.set(hexOf(response.scope), response)
    }
    onCommitted(result)
  }

  function connect(): ReturnType<MemoryStore['connect']> {
    const open = new Set<Transaction>()
    let dead = false
    const isDead = () => dead

    async function attempt<R extends IngestResult>(
      transaction: Transaction,
      scope: IngestScope,
      decide: (view: IngestView) => R,
    ): Promise<R | 'collided'> {
      await step(isDead)
      const locked = await lockAll(transaction, scope, isDead)
      await step(isDead)
      const view = read(scope, locked)
      await step(isDead)
      if (chance() < COLLIDES) {
        return 'collided'
      }
      const decided = decide(view)
      await step(isDead)
      if (chance() < BREAKS) {
        throw new StoreUnavailable('the connection broke')
      }
      commit(decided)
      locks.release(transaction)
      await step(isDead)
      if (chance() < LOSES_ANSWER) {
        throw new StoreUnavailable('the outcome of a commit is unknown')
      }
      return decided
    }

    const ingest: IngestEvents = async (scope, decide) => {
      for (let run = 1; ; run++) {
        const transaction = {}
        open.add(transaction)
        try {
          const result = await attempt(transaction, scope, decide)
          if (result !== 'collided') {
            return result
          }
          if (run === RUNS_MAX) {
            throw new Error('a transaction collided again and again')
          }
        } finally {
          open.delete(transaction)
          locks.release(transaction)
        }
      }
    }

    return {
      // The batch writer asks for nothing else.
      store: {
        events: { ingest, batching: { groupOf: () => 0, atOnce: () => 2 } },
      } as unknown as Store,
      isDead,
      crash() {
        dead = true
        for (const transaction of open) {
          locks.release(transaction)
        }
      },
    }
  }

  return { committed, connect }
}

function only<V>(all: ReadonlyMap<string, V>, keys: readonly string[]): ReadonlyMap<string, V> {
  return new Map(
    keys.flatMap((key) => {
      const value = all.get(key)
      return value === undefined ? [] : [[key, value] as const]
    }),
  )
}
