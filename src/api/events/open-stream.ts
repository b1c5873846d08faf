import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../../domain/caller.ts'
import { createEventStream, type EventStream } from '../../http/event-stream.ts'
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
  // A changed agent may have another owner.
  const names = [...namesOf(caller), followed.agentId]
  const timer = setTimeout(() => stream.end(), STREAM_MAX_MS).unref()
  const stream = createEventStream(() => {
    clearTimeout(timer)
    reader.end()
    onEnd()
  })
  const reader = createReader(stream, followed, readAfter)
  const failed = (error: unknown) => {
    onError(error)
    stream.end()
  }
  if (followed.isGap) {
    stream.send([GAP])
  }
  // What came since the client was here last, or since the request began.
  reader.read().catch(failed)
  return {
    body: stream.body,
    handle(change) {
      if (endsBy(change, names)) {
        stream.end()
      } else if (isAbout(change, followed)) {
        reader.readChange().catch(failed)
      }
    },
    end: stream.end,
  }
}

/** Reads what is new about an agent and sends it to one client, a part at a time. */
function createReader(stream: EventStream, followed: Followed, readAfter: ReadAfter) {
  /** The number of the last event that was read. */
  let last = followed.after
  /** Whether there may be something new. */
  let isDirty = false
  /** Whether a change was announced, with or without an event. */
  let isChanged = false
  let isReading = false
  let isEnded = false

  /** Until nothing is new. A client that takes nothing is waited for. */
  async function readAll(): Promise<void> {
    while (isDirty && !isEnded) {
      if (stream.isReady()) {
        const wasChanged = isChanged
        isDirty = false
        isChanged = false
        const found = await readAfter(followed, last)
        last = found.last
        // A review changes a score without an event.
        stream.send(found.messages.length === 0 && wasChanged ? [CHANGED] : found.messages)
      }
      await sleep(PAUSE_MS, undefined, { ref: false })
    }
    isReading = false
  }

  async function read(): Promise<void> {
    isDirty = true
    if (!isReading) {
      isReading = true
      await readAll()
    }
  }

  return {
    read,
    async readChange() {
      isChanged = true
      await read()
    },
    end() {
      isEnded = true
    },
  }
}
