import { connect, type Socket } from 'node:net'
import { TrustError, unavailable } from '../domain/error.ts'
import type { Endpoint, Exchange } from '../http/endpoint.ts'
import type { Response } from '../http/response.ts'
import { type Interval, startInterval } from '../lib/interval.ts'
import type { Change } from '../store/store.ts'
import { createFrameReader, createFrameSender, type Frame } from './frames.ts'
import type { ForwardedRequest, ForwardedResponse, FromRecorder, ToRecorder } from './messages.ts'
import type { Reporting } from './reporting.ts'

/** How often a lost connection is made again, and one that is there is checked. */
const CHECK_MS = 500

/** A process that sends nothing for so long stands still: work that takes long is done in parts, or in other threads. */
const SILENT_MAX_MS = 5_000

export interface ForwardOptions {
  /** The path of the socket of the process that records. */
  readonly socketPath: string
  /** Called with what that process changed, before the response to the request that changed it. */
  readonly onChange: (change: Change) => void
}

/** Before a connection was there, and where it is lost, changes may have been missed. */
const MISSED: Change = { kind: 'unknown' }

/** A connection on which requests are taken. */
interface Recorder {
  /** Null where it was not taken. Rejects where it is not known what became of it. */
  forward(request: Omit<ForwardedRequest, 'id'>, bytes: Uint8Array): Promise<Response | null>
}

/**
 * For the other processes of a machine: they forward reports to the one that records them. Each of them would otherwise
 * change the statistics of the same platforms and the states of the same agents, and undo the batches of the others.
 * While that process is not there, a process records its reports itself.
 */
export function forwardReports({ socketPath, onChange }: ForwardOptions): Reporting {
  let recorder: Recorder | null = null
  let socket: Socket | null = null
  let checks: Interval | null = null
  let check = () => {}

  function connectOnce(): void {
    const opened = connect(socketPath)
    const { forward, settle, endWhenIdle, rejectAll, isSilent } = createConversation(opened)
    const own = { forward }
    let isReady = false
    socket = opened
    opened.on(
      'data',
      createFrameReader<FromRecorder>((frame) => receive(frame)),
    )
    opened.on('error', () => {})
    opened.on('close', () => {
      recorder = recorder === own ? null : recorder
      socket = null
      if (isReady) {
        onChange(MISSED)
      }
      rejectAll()
    })
    check = () => {
      if (isSilent()) {
        opened.destroy()
      }
    }
    const receive = ({ head, bytes }: Frame<FromRecorder>) => {
      if (head === 'ready') {
        isReady = true
        recorder = own
        onChange(MISSED)
      } else if (head === 'closing') {
        recorder = null
        endWhenIdle()
      } else if (typeof head === 'object' && 'change' in head) {
        onChange(head.change)
      } else {
        settle(head, bytes)
      }
    }
  }

  return {
    share: (endpoint) => ({
      ...endpoint,
      handle: (exchange) =>
        recorder === null ? endpoint.handle(exchange) : forward(recorder, endpoint, exchange),
    }),
    async open() {
      connectOnce()
      checks = startInterval({
        everyMs: CHECK_MS,
        work: () => (socket === null ? connectOnce() : check()),
      })
    },
    async close() {
      await checks?.stop()
      socket?.end()
    },
  }
}

async function forward(
  recorder: Recorder,
  endpoint: Endpoint,
  exchange: Exchange,
): Promise<Response> {
  const { request, requestId, basePath, params, caller, address } = exchange
  const { method, path, search, headers, peer } = request
  const bytes = await request.readBody().catch(() => null)
  if (bytes === null) {
    // The operation says what is wrong with the body, after it has checked the caller.
    return endpoint.handle(exchange)
  }
  const of = { requestId, basePath, params, caller, address }
  const forwarded = {
    name: endpoint.name,
    method,
    path,
    search,
    headers: [...headers],
    peer,
    ...of,
  }
  return (await recorder.forward(forwarded, bytes)) ?? endpoint.handle(exchange)
}

/** Requests and responses on one connection. */
function createConversation(socket: Socket) {
  const send = createFrameSender<ToRecorder>(socket)
  const pending = new Map<number, { resolve: (r: Response | null) => void; reject: Reject }>()
  let lastId = 0
  let lastFrameAt = performance.now()
  let isClosing = false
  const endIfDone = () => {
    if (isClosing && pending.size === 0) {
      socket.end()
    }
  }
  return {
    forward: (request: Omit<ForwardedRequest, 'id'>, bytes: Uint8Array) =>
      new Promise<Response | null>((resolve, reject) => {
        lastId += 1
        pending.set(lastId, { resolve, reject })
        send({ id: lastId, ...request }, bytes)
      }),
    settle(response: ForwardedResponse | 'pong', bytes: Uint8Array): void {
      lastFrameAt = performance.now()
      const one = response === 'pong' ? undefined : pending.get(response.id)
      if (response === 'pong' || one === undefined) {
        return
      }
      pending.delete(response.id)
      if ('refusal' in response) {
        const { code, message, details, retryAfterSeconds } = response.refusal
        one.reject(new TrustError(code, message, details, retryAfterSeconds))
      } else {
        one.resolve('status' in response ? responseOf(response, bytes) : null)
      }
      endIfDone()
    },
    /** Ends the connection when all is answered. */
    endWhenIdle(): void {
      isClosing = true
      endIfDone()
    },
    rejectAll(): void {
      for (const { reject } of pending.values()) {
        reject(unknownOutcome())
      }
      pending.clear()
    },
    /** Checks the other process. True where it has not answered for long. */
    isSilent(): boolean {
      send('ping')
      return performance.now() - lastFrameAt > SILENT_MAX_MS
    },
  }
}

type Reject = (error: TrustError) => void

function responseOf(
  { status, headers, type }: Extract<ForwardedResponse, { status: number }>,
  bytes: Uint8Array,
): Response {
  const own = headers ? { headers } : {}
  // Text: the response and its head are then sent by one write.
  return type === null
    ? { status, ...own }
    : { status, ...own, content: { type, data: Buffer.from(bytes).toString() } }
}

/** As when the outcome of a commit is lost. */
function unknownOutcome(): TrustError {
  return unavailable(
    'the process that records reports has ended and the outcome is unknown; repeat with the same Idempotency-Key',
    { reason: 'shutting_down' },
  )
}
