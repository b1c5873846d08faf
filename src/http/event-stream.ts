import { startInterval } from '../lib/interval.ts'

/** Server-sent events (HTML Standard, 9.2): a response that goes on until either side ends it. */
export const EVENT_STREAM_TYPE = 'text/event-stream'

export interface StreamMessage {
  readonly event: string
  /** What a client sends as `Last-Event-ID` when it comes back. */
  readonly id?: string
  readonly data: unknown
}

export interface EventStream {
  readonly body: ReadableStream<Uint8Array>
  /** False while earlier messages still wait for the connection: the caller then queues nothing. */
  isReady(): boolean
  send(messages: readonly StreamMessage[]): void
  end(): void
}

/** Many proxies, and this service, close a connection after half a minute without traffic. */
const HEARTBEAT_MS = 15_000

/** How soon a client comes back after the stream has ended. */
const RETRY_MS = 2_000

/** Messages that may wait for the connection. */
const QUEUED_MAX = 4

const HEARTBEAT = ':\n\n'

export function createEventStream(onEnd: () => void): EventStream {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null
  const isReady = () => (controller?.desiredSize ?? 0) > 0
  const write = (text: string) => controller?.enqueue(encoder.encode(text))
  const heartbeat = startInterval({
    everyMs: HEARTBEAT_MS,
    work: () => isReady() && write(HEARTBEAT),
  })
  const stop = () => {
    void heartbeat.stop()
    controller = null
    onEnd()
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start(own) {
        controller = own
        write(`retry: ${RETRY_MS}\n\n`)
      },
      // The client has gone.
      cancel: stop,
    },
    { highWaterMark: QUEUED_MAX },
  )
  return {
    body,
    isReady,
    send(messages) {
      if (messages.length > 0) {
        write(messages.map(textOf).join(''))
      }
    },
    end() {
      if (controller !== null) {
        controller.close()
        stop()
      }
    },
  }
}

/** JSON holds no line break, so the data is one line. */
function textOf({ event, id, data }: StreamMessage): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
