import { rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import type { TrustError } from '../domain/error.ts'
import type { Endpoint, Exchange } from '../http/endpoint.ts'
import { type Content, JSON_TYPE, type Response } from '../http/response.ts'
import type { ChangeFeed } from '../store/store.ts'
import { createFrameReader, createFrameSender, type Frame } from './frames.ts'
import type { Answer, Asked, Question, Said } from './messages.ts'
import type { Reporting } from './reporting.ts'

type Say = (said: Said, body?: Uint8Array | string) => void

export interface RecordOptions {
  /** The path of the socket at which the other processes ask. */
  readonly socketPath: string
  readonly changes: Pick<ChangeFeed, 'subscribe'>
  /** Counts the processes that get these changes over the socket: the database need not notify them of each score. */
  readonly linkedNodes: { count: number }
  /** What a request is refused with that failed; logs what is a fault. */
  readonly refusalOf: (error: unknown, requestId: string) => TrustError
}

/** For the process that records the reports of all processes of a machine. */
export function recordForOthers({
  socketPath,
  changes,
  linkedNodes,
  refusalOf,
}: RecordOptions): Reporting {
  const endpoints = new Map<string, Endpoint>()
  const others = new Map<Socket, Say>()
  let server: Server | null = null
  let isLeaving = false

  function accept(socket: Socket): void {
    const say = createFrameSender<Said>(socket)
    others.set(socket, say)
    linkedNodes.count = others.size
    socket.on(
      'data',
      createFrameReader<Question>((frame) => hear(frame, say)),
    )
    // It ends with the process at the other end, whose clients are gone too.
    socket.on('error', () => {})
    socket.on('close', () => {
      others.delete(socket)
      linkedNodes.count = others.size
    })
    say('ready')
  }

  function hear({ head, bytes }: Frame<Question>, say: Say): void {
    if (head === 'are you there') {
      say('here')
      return
    }
    const endpoint = endpoints.get(head.name)
    if (isLeaving || endpoint === undefined) {
      say({ id: head.id, isTaken: false })
      return
    }
    void carryOut(endpoint, head, bytes, say)
  }

  async function carryOut(
    endpoint: Endpoint,
    asked: Asked,
    bytes: Uint8Array,
    say: Say,
  ): Promise<void> {
    const { id } = asked
    try {
      const response = await endpoint.handle(exchangeOf(asked, bytes))
      say(headOf(id, response), bodyOf(response))
    } catch (error) {
      const { code, message, details, retryAfterSeconds } = refusalOf(error, asked.requestId)
      say({ id, refusal: { code, message, details, retryAfterSeconds } })
    }
  }

  return {
    share(endpoint) {
      endpoints.set(endpoint.name, endpoint)
      return endpoint
    },
    async open() {
      // That of a process which this one replaces.
      await rm(socketPath, { force: true })
      const opened = createServer(accept)
      await new Promise<void>((resolve, reject) => {
        opened.once('error', reject)
        // Of this process alone: `node:cluster` would share it among all.
        opened.listen({ path: socketPath, exclusive: true }, resolve)
      })
      server = opened
      changes.subscribe((change) => {
        for (const say of others.values()) {
          say({ change })
        }
      })
    },
    async close() {
      isLeaving = true
      for (const say of others.values()) {
        say('leaving')
      }
      // The others end their connections when all that they have asked is answered.
      await new Promise<void>((resolve) => {
        server?.close(() => resolve()) ?? resolve()
      })
    },
  }
}

function exchangeOf(asked: Asked, bytes: Uint8Array): Exchange {
  const { method, path, search, peer, requestId, basePath, params, caller, address } = asked
  const headers = new Map(asked.headers)
  return {
    request: {
      method,
      path,
      search,
      peer,
      headers: {
        get: (name) => headers.get(name) ?? null,
        has: (name) => headers.has(name),
        [Symbol.iterator]: () => headers[Symbol.iterator](),
      },
      isGone: () => false,
      readBody: async () => bytes,
      body: inOnePiece(bytes),
    },
    requestId,
    basePath,
    params,
    caller,
    address,
  }
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function headOf(id: number, { status, headers, content, body }: Response): Answer {
  const type = content?.type ?? (body === undefined ? null : JSON_TYPE)
  return headers ? { id, status, headers, type } : { id, status, type }
}

function bodyOf({ content, body }: Response): Uint8Array | string {
  if (content === undefined) {
    return body === undefined ? '' : JSON.stringify(body)
  }
  return whole(content)
}

function whole({ data }: Content): Uint8Array | string {
  if (data instanceof ReadableStream) {
    throw new Error('a response to a report is no stream')
  }
  return data
}
