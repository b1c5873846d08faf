import { accountNameOf, type Caller } from '../../domain/caller.ts'
import { unavailable } from '../../domain/error.ts'
import { createSemaphore } from '../../lib/semaphore.ts'
import type { ChangeFeed } from '../../store/changes.ts'
import type { Store } from '../../store/store.ts'
import { createOpenPlaces } from '../open-places.ts'
import { createReader, type Followed } from './following.ts'
import { type OpenStream, openStream } from './open-stream.ts'

/** The open streams of this node. */
export interface EventStreams {
  /** @throws TrustError where the account, or this node, has too many */
  open(caller: Caller, followed: Followed): ReadableStream
  /** Ends them all, and opens no more: the clients come back to another node. */
  close(): void
}

/** A person with several windows, and some programs. Dashboards stream only in the visible tab. */
const PER_ACCOUNT_MAX = 20

/** Each takes a connection and some kilobytes; a tenth of the connections that a node has. */
const STREAMS_MAX = 1_000

/** Reading for streams takes few of the connections that answer requests. */
const READING = { runningMax: 4 }

export interface EventStreamsOptions {
  readonly store: Pick<Store, 'events'>
  readonly changes: ChangeFeed
  /** Called for each stream that ends because its events cannot be read. */
  readonly onError: (error: unknown, agentId: string) => void
  /** In place of a thousand. */
  readonly streamsMax?: number
}

export function createEventStreams(options: EventStreamsOptions): EventStreams {
  const { store, changes, streamsMax = STREAMS_MAX } = options
  /** The oldest first, each with its account. */
  const streams = new Map<OpenStream, string>()
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
  let isClosed = false
  changes.subscribe((change) => {
    for (const stream of streams.keys()) {
      stream.handle(change)
    }
  })

  function endOldestOf(account: string): void {
    const oldest = [...streams].find(([, its]) => its === account)
    oldest?.[0].end()
  }

  return {
    open(caller, followed) {
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
      streams.set(stream, accountNameOf(caller))
      return stream.body
    },
    close() {
      isClosed = true
      for (const stream of streams.keys()) {
        stream.end()
      }
    },
  }
}
