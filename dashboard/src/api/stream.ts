import { openStream } from './client.ts'
import { ApiError } from './error.ts'

/** What is called while events are followed. */
export interface StreamHandlers {
  opened(): void
  /** Something about the agent has changed; `isQuarantined`: an event about it is quarantined for review. */
  changed(isQuarantined: boolean): void
  /** From now on nothing is called until `opened` is. */
  lost(): void
}

/** As long as the service asks; a refusal, as of too many streams, is left alone for longer. */
const AGAIN_MS = 2_000
const REFUSED_MS = 60_000

/**
 * Follows the events about an agent until the function returned is called. A tab in the background
 * follows nothing: a browser has six connections to a host, for all of its tabs.
 */
export function followEvents(agentId: string, handlers: StreamHandlers): () => void {
  const path = `/v1/agents/${agentId}/events/stream`
  let lastEventId: string | null = null
  let controller: AbortController | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  async function run(own: AbortController): Promise<void> {
    let waitMs = AGAIN_MS
    try {
      const body = await openStream(path, { lastEventId, signal: own.signal })
      handlers.opened()
      for await (const { event, id, data = '' } of messagesOf(body)) {
        lastEventId = id ?? lastEventId
        if (event !== undefined) {
          handlers.changed(data.includes('"isQuarantined":true'))
        }
      }
    } catch (error) {
      waitMs = error instanceof ApiError && error.status >= 400 ? REFUSED_MS : AGAIN_MS
    }
    if (controller === own) {
      handlers.lost()
      timer = setTimeout(start, waitMs)
    }
  }

  function start(): void {
    stop()
    if (!document.hidden) {
      controller = new AbortController()
      void run(controller)
    }
  }

  function stop(): void {
    clearTimeout(timer)
    const last = controller
    controller = null
    if (last) {
      last.abort()
      handlers.lost()
    }
  }

  document.addEventListener('visibilitychange', start)
  start()
  return () => {
    document.removeEventListener('visibilitychange', start)
    stop()
  }
}

interface Message {
  readonly event: string | undefined
  readonly id: string | undefined
  readonly data: string | undefined
}

/** The messages of a stream of server-sent events. */
async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) {
      return
    }
    const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    yield* blocks.map((block) => ({
      event: fieldOf(block, 'event'),
      id: fieldOf(block, 'id'),
      data: fieldOf(block, 'data'),
    }))
  }
}

function fieldOf(block: string, name: string): string | undefined {
  const line = block.split('\n').find((one) => one.startsWith(`${name}: `))
  return line?.slice(name.length + 2)
}
