import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../../domain/caller.ts'
import { createEventStream } from '../../http/event-stream.ts'
import type { Change } from '../../store/changes.ts'
import {
  CHANGED,
  endsBy,
  type Followed,
  GAP,
  isAbout,
  namesOf,
  type ReadAfter,
} from './following.ts'

/** A stream of the events about an agent, to one client. */
export interface OpenStream {
  readonly body: ReadableStream
  /** Ends the stream if the change concerns its caller, and reads what is new if it concerns its agent. */
  handle(change: Change): void
  end(): void
}

/** Then the client comes back with its credential, which is checked again. */
const STREAM_MAX_MS = 600_000

/** Twice a second at most: a busy agent is read in parts, not for each event. */
const PAUSE_MS = 500

/** What a stream has still to do. */
interface Progress {
  /** The number of the last event that was read. */
  last: number
  /** Whether there may be something new. */
  isDirty: boolean
  /** Whether a change was announced, with or without an event. */
  isChanged: boolean
  isReading: boolean
  isEnded: boolean
}

export interface StreamOptions {
  readonly readAfter: ReadAfter
  readonly onEnd: () => void
  /** Called when events cannot be read. The stream ends: its client comes back, and continues after its last event. */
  readonly onError: (error: unknown) => void
}

export function openStream(
  caller: Caller,
  followed: Followed,
  { readAfter, onEnd, onError }: StreamOptions,
): OpenStream {
  const progress: Progress = {
    last: followed.after,
    isDirty: false,
    isChanged: false,
    isReading: false,
    isEnded: false,
  }
  // A changed agent may have another owner.
  const names = [...namesOf(caller), followed.agentId]
  const timer = setTimeout(() => stream.end(), STREAM_MAX_MS).unref()
  const stream = createEventStream(() => {
    clearTimeout(timer)
    progress.isEnded = true
    onEnd()
  })

  /** Reads what is new and sends it, until nothing is. A client that takes nothing is waited for. */
  async function follow(): Promise<void> {
    while (progress.isDirty && !progress.isEnded) {
      if (stream.isReady()) {
        const { isChanged } = progress
        progress.isDirty = false
        progress.isChanged = false
        const { messages, last } = await readAfter(followed, progress.last)
        progress.last = last
        // A review changes a score without an event.
        stream.send(messages.length === 0 && isChanged ? [CHANGED] : messages)
      }
      await sleep(PAUSE_MS, undefined, { ref: false })
    }
    progress.isReading = false
  }

  function wake(): void {
    progress.isDirty = true
    if (!progress.isReading) {
      progress.isReading = true
      follow().catch((error: unknown) => {
        onError(error)
        stream.end()
      })
    }
  }

  if (followed.isGap) {
    stream.send([GAP])
  }
  // What came since the client was here last, or since the request began.
  wake()
  return {
    body: stream.body,
    handle(change) {
      if (endsBy(change, names)) {
        stream.end()
      } else if (isAbout(change, followed)) {
        progress.isChanged = true
        wake()
      }
    },
    end: stream.end,
  }
}
