import { setTimeout as sleep } from 'node:timers/promises'
import { accountNameOf, type Caller } from '../../domain/caller.ts'
import { TrustError, unavailable } from '../../domain/error.ts'
import { createEventStream, type EventStream } from '../../http/event-stream.ts'
import { createCounts } from '../../lib/counts.ts'
import { createSemaphore } from '../../lib/semaphore.ts'
import type { ChangeFeed } from '../../store/changes.ts'
import type { Store } from '../../store/store.ts'
import { CHANGED, createReader, endsBy, type Followed, GAP, isAbout, namesOf } from './following.ts'

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

/** Then the client comes back with its credential, which is checked again. */
const STREAM_MAX_MS = 600_000

/** Twice a second at most: a busy agent is read in parts, not for each event. */
const PAUSE_MS = 500

/** Reading for streams takes few of the connections that answer requests. */
const READING = { runningMax: 4 }

interface Open {
  readonly followed: Followed
  readonly stream: EventStream
  /** The caller under every name by which a change may concern it, and the agent: its owner may change. */
  readonly names: readonly string[]
  last: number
  isDirty: boolean
  /** Whether a change was announced, with or without an event. */
  isChanged: boolean
  isReading: boolean
  isEnded: boolean
}

export function createEventStreams({
  store,
  changes,
}: {
  readonly store: Pick<Store, 'events'>
  readonly changes: ChangeFeed
}): EventStreams {
  const streams = new Set<Open>()
  const perAccount = createCounts()
  const readAfter = createReader(store, createSemaphore(READING))
  let isClosed = false

  changes.subscribe((change) => {
    for (const one of streams) {
      if (endsBy(change, one.names)) {
        one.stream.end()
      } else if (isAbout(change, one.followed)) {
        one.isChanged = true
        wake(one)
      }
    }
  })

  function wake(one: Open): void {
    one.isDirty = true
    if (!one.isReading) {
      one.isReading = true
      follow(one).catch(() => one.stream.end())
    }
  }

  /** Reads what is new and sends it, until nothing is. A client that takes nothing is waited for. */
  async function follow(one: Open): Promise<void> {
    while (one.isDirty && !one.isEnded) {
      if (one.stream.isReady()) {
        const { isChanged } = one
        one.isDirty = false
        one.isChanged = false
        const { messages, last } = await readAfter(one.followed, one.last)
        one.last = last
        // A review changes a score without an event.
        one.stream.send(messages.length === 0 && isChanged ? [CHANGED] : messages)
      }
      await sleep(PAUSE_MS, undefined, { ref: false })
    }
    one.isReading = false
  }

  return {
    open(caller, followed) {
      const account = accountNameOf(caller)
      refuseTooMany(perAccount.of(account), streams.size, isClosed)
      const timer = setTimeout(() => stream.end(), STREAM_MAX_MS).unref()
      const stream = createEventStream(() => {
        clearTimeout(timer)
        one.isEnded = true
        streams.delete(one)
        perAccount.add(account, -1)
      })
      const one: Open = {
        followed,
        stream,
        names: [...namesOf(caller), followed.agentId],
        last: followed.after,
        isDirty: false,
        isChanged: false,
        isReading: false,
        isEnded: false,
      }
      streams.add(one)
      perAccount.add(account, 1)
      if (followed.isGap) {
        stream.send([GAP])
      }
      // What came since the client was here last, or since the request began.
      wake(one)
      return stream.body
    },
    close() {
      isClosed = true
      for (const { stream } of streams) {
        stream.end()
      }
    },
  }
}

function refuseTooMany(own: number, all: number, isClosed: boolean): void {
  if (isClosed || all >= STREAMS_MAX) {
    throw unavailable(isClosed ? 'this node is shutting down' : 'too many streams are open')
  }
  if (own >= PER_ACCOUNT_MAX) {
    throw new TrustError(
      'RATE_LIMIT_EXCEEDED',
      `more than ${PER_ACCOUNT_MAX} streams of this account are open; close one, or read the list`,
      { limit: 'event_streams', max: PER_ACCOUNT_MAX },
      PAUSE_MS / 1_000,
    )
  }
}
