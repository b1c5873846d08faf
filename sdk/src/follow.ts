import type { CallOptions } from './call.ts'
import type { ByteStream } from './fetch.ts'
import { unlessAborted, unref, waitFor } from './timer.ts'
import type { EventRecord } from './types.ts'

/** What is learnt by following an agent. */
export type FollowedChange =
  | { readonly type: 'event'; readonly event: EventRecord }
  /** The score may have changed without a new event, as after a review. */
  | { readonly type: 'changed' }
  /** Events may be missing here. `events.list` has them. */
  | { readonly type: 'gap' }

export interface FollowOptions extends CallOptions {
  /** The id of the last event that is known: it begins with those after it. By default it begins now. */
  readonly after?: string | undefined
}

/** Opens a stream of events, behind the last one that is known. */
export type OpenStream = (lastEventId: string | undefined) => Promise<ByteStream>

/** The pause before it comes back, where the service names none: its own. */
const AGAIN_MS = 2_000

/** The service sends something every 15 seconds: after three times that, the connection is lost. */
const SILENT_MAX_MS = 45_000

/** Changes as they arrive, over as many streams as it takes. It ends by an error only, as of a refusal. */
export async function* follow(
  open: OpenStream,
  { after, signal }: FollowOptions,
): AsyncGenerator<FollowedChange, void> {
  let last = after
  let againMs = AGAIN_MS
  for (;;) {
    for await (const message of messagesOf(await open(last), signal)) {
      last = message.id ?? last
      againMs = Number(message.retry ?? againMs)
      const change = changeIn(message)
      if (change) {
        yield change
      }
    }
    await waitFor(againMs, signal)
    // Without an event to continue after, what came meanwhile is not in the next stream.
    if (last === undefined) {
      yield { type: 'gap' }
    }
  }
}

interface Message {
  readonly event: string | undefined
  readonly id: string | undefined
  readonly data: string | undefined
  /** Milliseconds. */
  readonly retry: string | undefined
}

/** Null for a message that only a later service sends. */
function changeIn({ event, data = '' }: Message): FollowedChange | null {
  switch (event) {
    case 'event':
      return { type: 'event', event: JSON.parse(data) as EventRecord }
    case 'changed':
    case 'gap':
      return { type: event }
    default:
      return null
  }
}

/** The messages until the stream ends, breaks or falls silent. @throws the signal's reason */
async function* messagesOf(
  body: ByteStream,
  signal: AbortSignal | undefined,
): AsyncGenerator<Message, void> {
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => {})
  const decoder = new TextDecoder()
  let rest = ''
  let silence: ReturnType<typeof setTimeout> | undefined
  try {
    for (;;) {
      silence = unref(setTimeout(cancel, SILENT_MAX_MS))
      const chunk = await unlessAborted(
        reader.read().catch(() => null),
        signal,
      )
      clearTimeout(silence)
      if (chunk === null || chunk.done) {
        return
      }
      const blocks = (rest + decoder.decode(chunk.value, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      yield* blocks.map(messageIn)
    }
  } finally {
    clearTimeout(silence)
    cancel()
  }
}

/** Data is one line: JSON holds no line break. */
function messageIn(block: string): Message {
  const lines = block.split('\n')
  const field = (name: string) =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
  return { event: field('event'), id: field('id'), data: field('data'), retry: field('retry') }
}
