import { connect, type Socket } from 'node:net'
import { TrustError, unavailable } from '../domain/error.ts'
import type { Endpoint, Exchange } from '../http/endpoint.ts'
import type { Response } from '../http/response.ts'
import { type Interval, startInterval } from '../lib/interval.ts'
import type { Change } from '../store/store.ts'
import { createFrameReader, createFrameSender, type Frame } from './frames.ts'
import type { Answer, Asked, Question, Said } from './messages.ts'
import type { Reporting } from './reporting.ts'

/** How often a lost connection is made again, and one that is there is checked. */
const CHECK_MS = 500

/** A process that says nothing for so long stands still: work that takes long is done in parts, or in other threads. */
const SILENT_MAX_MS = 5_000

export interface PassOptions {
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
  ask(asked: Omit<Asked, 'id'>, bytes: Uint8Array): Promise<Response | null>
}

/**
 * For the other processes of a machine: they pass reports to the one that records them. Each of them would otherwise
 * change the statistics of the same platforms and the states of the same agents, and undo the batches of the others.
 * While that process is not there, a process records its reports itself.
 */
export function passReports({ socketPath, onChange }: PassOptions): Reporting {
  let recorder: Recorder | null = null
  let socket: Socket | null = null
  let checks: Interval | null = null
  let check = () => {}

  function connectOnce(): void {
    const opened = connect(socketPath)
    const { ask, hear, leave, lose, isSilent } = createConversation(opened)
    const own = { ask }
    let isReady = false
    socket = opened
    opened.on(
      'data',
      createFrameReader<Said>((frame) => heard(frame)),
    )
    opened.on('error', () => {})
    opened.on('close', () => {
      recorder = recorder === own ? null : recorder
      socket = null
      if (isReady) {
        onChange(MISSED)
      }
      lose()
    })
    check = () => {
      if (isSilent()) {
        opened.destroy()
      }
    }
    const heard = ({ head, bytes }: Frame<Said>) => {
      if (head === 'ready') {
        isReady = true
        recorder = own
        onChange(MISSED)
      } else if (head === 'leaving') {
        recorder = null
        leave()
      } else if (typeof head === 'object' && 'change' in head) {
        onChange(head.change)
      } else {
        hear(head, bytes)
      }
    }
  }

  return {
    share: (endpoint) => ({
      ...endpoint,
      handle: (exchange) =>
        recorder === null ? endpoint.handle(exchange) : pass(recorder, endpoint, exchange),
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

async function pass(recorder: Recorder, endpoint: Endpoint, exchange: Exchange): Promise<Response> {
  const { request, requestId, basePath, params, caller, address } = exchange
  const { method, path, search, headers, peer } = request
  const bytes = await request.readBody().catch(() => null)
  if (bytes === null) {
    // The operation says what is wrong with the body, after it has checked the caller.
    return endpoint.handle(exchange)
  }
  const of = { requestId, basePath, params, caller, address }
  const asked = { name: endpoint.name, method, path, search, headers: [...headers], peer, ...of }
  return (await recorder.ask(asked, bytes)) ?? endpoint.handle(exchange)
}

/** Questions and answers on one connection. */
function createConversation(socket: Socket) {
  const send = createFrameSender<Question>(socket)
  const asking = new Map<number, { resolve: (r: Response | null) => void; reject: Reject }>()
  let lastId = 0
  let heardAt = performance.now()
  let isLeaving = false
  const endIfDone = () => {
    if (isLeaving && asking.size === 0) {
      socket.end()
    }
  }
  return {
    ask: (asked: Omit<Asked, 'id'>, bytes: Uint8Array) =>
      new Promise<Response | null>((resolve, reject) => {
        lastId += 1
        asking.set(lastId, { resolve, reject })
        send({ id: lastId, ...asked }, bytes)
      }),
    hear(answer: Answer | 'here', bytes: Uint8Array): void {
      heardAt = performance.now()
      const one = answer === 'here' ? undefined : asking.get(answer.id)
      if (answer === 'here' || one === undefined) {
        return
      }
      asking.delete(answer.id)
      if ('refusal' in answer) {
        const { code, message, details, retryAfterSeconds } = answer.refusal
        one.reject(new TrustError(code, message, details, retryAfterSeconds))
      } else {
        one.resolve('status' in answer ? responseOf(answer, bytes) : null)
      }
      endIfDone()
    },
    /** Ends the connection when all is answered. */
    leave(): void {
      isLeaving = true
      endIfDone()
    },
    lose(): void {
      for (const { reject } of asking.values()) {
        reject(unknownOutcome())
      }
      asking.clear()
    },
    /** Asks whether the other process still runs. True where it has not answered for long. */
    isSilent(): boolean {
      send('are you there')
      return performance.now() - heardAt > SILENT_MAX_MS
    },
  }
}

type Reject = (error: TrustError) => void

function responseOf(
  { status, headers, type }: Extract<Answer, { status: number }>,
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
