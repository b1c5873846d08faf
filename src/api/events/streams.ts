import { mayReadAll } from '../../auth/access.ts'
import { accountNameOf, type Caller } from '../../domain/caller.ts'
import { unavailable } from '../../domain/error.ts'
import { startInterval } from '../../lib/interval.ts'
import { createSemaphore } from '../../lib/semaphore.ts'
import type { ChangeFeed } from '../../store/changes.ts'
import type { Store } from '../../store/store.ts'
import { createOpenPlaces } from '../open-places.ts'
import { createReader, type Followed } from './following.ts'
import { type OpenStream, openStream } from './open-stream.ts'

/** The open streams of this node. */
export interface EventStreams {
  /** @throws TrustError where the account, or this node, has too many */
  open(follower: Follower, followed: Followed): ReadableStream
  /** Ends them all, and opens no more: the clients come back to another node. */
  close(): void
}

/** The client of a stream. */
export interface Follower {
  readonly caller: Caller
  /** The key or token that it opened the stream with. */
  readonly credential: string
}

/** A person with several windows, and some programs. Dashboards stream only in the visible tab. */
const PER_ACCOUNT_MAX = 20

/** Each takes a connection and some kilobytes; a tenth of the connections that a node has. */
const STREAMS_MAX = 1_000

/** Reading for streams takes few of the connections that answer requests. */
const READING = { runningMax: 4 }

/** An expired credential is noticed within a second. Valid ones are cached, so this costs little. */
const CHECK_MS = 1_000

export interface EventStreamsOptions {
  readonly store: Pick<Store, 'agents' | 'events'>
  readonly changes: ChangeFeed
  /** Whether a credential still identifies a caller. */
  readonly isValid: (credential: string) => Promise<boolean>
  /** Called for each stream that ends because its events cannot be read. */
  readonly onError: (error: unknown, agentId: string) => void
  /** In place of a thousand. */
  readonly streamsMax?: number
}

interface Opened extends Follower {
  readonly agentId: string
}

export function createEventStreams(options: EventStreamsOptions): EventStreams {
  const { store, changes, streamsMax = STREAMS_MAX } = options
  /** The oldest first. */
  const streams = new Map<OpenStream, Opened>()
  const places = createOpenPlaces({
    perAccountMax: PER_ACCOUNT_MAX,
    allMax: streamsMax,
    limit: 'event_streams',
    accountRefusal: `more than ${PER_ACCOUNT_MAX} streams of this account are open; close one, or read the list`,
    nodeRefusal: 'too many streams are open',
    // Its client comes back, to another node or when there is room, and continues after its last event.
    giveWay: endOldestOf,
  })
  const readAfter = createReader(store, createSemaphore(READING))
  const checks = startChecks(options, streams)
  let isClosed = false
  changes.subscribe((change) => {
    for (const stream of streams.keys()) {
      stream.handle(change)
    }
  })

  function endOldestOf(account: string): void {
    const oldest = [...streams].find(([, { caller }]) => accountNameOf(caller) === account)
    oldest?.[0].end()
  }

  return {
    open({ caller, credential }, followed) {
      if (isClosed) {
        throw unavailable('this node is shutting down')
      }
      const free = places.take(caller)
      const stream = openStream(caller, followed, {
        readAfter,
        onEnd() {
          streams.delete(stream)
          free()
        },
        onError: (error) => options.onError(error, followed.agentId),
      })
      streams.set(stream, { caller, credential, agentId: followed.agentId })
      return stream.body
    },
    close() {
      isClosed = true
      void checks.stop()
      for (const stream of streams.keys()) {
        stream.end()
      }
    },
  }
}

/**
 * Ends streams whose credential is no longer valid: a key that was replaced expires without a change. Changes by
 * other nodes may be missed as well; then the owners of the agents are also read again.
 */
function startChecks(
  { store, changes, isValid }: EventStreamsOptions,
  streams: ReadonlyMap<OpenStream, Opened>,
) {
  let isMissed = false
  changes.subscribe(({ kind }) => {
    isMissed ||= kind === 'unknown'
  })

  async function endInvalid([stream, { credential }]: [OpenStream, Opened]): Promise<void> {
    if (!(await isValid(credential))) {
      stream.end()
    }
  }

  async function endWithoutAccess(): Promise<void> {
    const readers = [...streams].filter(([, { caller }]) => caller.kind !== 'platform')
    const ids = new Set(readers.map(([, { agentId }]) => agentId))
    const agents = await store.agents.findMany([...ids])
    for (const [stream, { caller, agentId }] of readers) {
      if (!mayReadAll(caller, { agentId, ownerId: agents.get(agentId)?.ownerId ?? '' })) {
        stream.end()
      }
    }
  }

  async function check(): Promise<void> {
    const isStale = isMissed || !changes.isConnected()
    isMissed = false
    try {
      await Promise.all([...streams].map(endInvalid))
      if (isStale && streams.size > 0) {
        await endWithoutAccess()
      }
    } catch {
      // Without the database nothing can be read for a stream either. The next check repeats this one.
      isMissed ||= isStale
    }
  }

  return startInterval({ everyMs: CHECK_MS, work: check })
}
