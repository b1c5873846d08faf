import { rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import type { TrustError } from '../domain/error.ts'
import type { Endpoint, Exchange } from '../http/endpoint.ts'
import { type Content, JSON_TYPE, type Response } from '../http/response.ts'
import type { ChangeFeed } from '../store/store.ts'
import { createFrameReader, createFrameSender, type Frame } from './frames.ts'
import type { ForwardedRequest, ForwardedResponse, FromRecorder, ToRecorder } from './messages.ts'
import type { Reporting } from './reporting.ts'

type Send = (message: FromRecorder, body?: Uint8Array | string) => void

export interface RecordOptions {
  /** The path of the socket to which the other processes connect. */
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
  const others = new Map<Socket, Send>()
  let server: Server | null = null
  let isClosing = false

  function accept(socket: Socket): void {
    const send = createFrameSender<FromRecorder>(socket)
    others.set(socket, send)
    linkedNodes.count = others.size
    socket.on(
      'data',
      createFrameReader<ToRecorder>((frame) => receive(frame, send)),
    )
    // It ends with the process at the other end, whose clients are gone too.
    socket.on('error', () => {})
    socket.on('close', () => {
      others.delete(socket)
      linkedNodes.count = others.size
    })
    send('ready')
  }

  function receive({ head, bytes }: Frame<ToRecorder>, send: Send): void {
    if (head === 'ping') {
      send('pong')
      return
    }
    const endpoint = endpoints.get(head.name)
    if (isClosing || endpoint === undefined) {
      send({ id: head.id, isTaken: false })
      return
    }
    void carryOut(endpoint, head, bytes, send)
  }

  async function carryOut(
    endpoint: Endpoint,
    forwarded: ForwardedRequest,
    bytes: Uint8Array,
    send: Send,
  ): Promise<void> {
    const { id } = forwarded
    try {
      const response = await endpoint.handle(exchangeOf(forwarded, bytes))
      send(headOf(id, response), bodyOf(response))
    } catch (error) {
      const { code, message, details, retryAfterSeconds } = refusalOf(error, forwarded.requestId)
      send({ id, refusal: { code, message, details, retryAfterSeconds } })
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
        for (const send of others.values()) {
          send({ change })
        }
      })
    },
    async close() {
      isClosing = true
      for (const send of others.values()) {
        send('closing')
      }
      // The others end their connections when all that they have forwarded is answered.
      await new Promise<void>((resolve) => {
        server?.close(() => resolve()) ?? resolve()
      })
    },
  }
}

function exchangeOf(forwarded: ForwardedRequest, bytes: Uint8Array): Exchange {
  const { method, path, search, peer, requestId, basePath, params, caller, address } = forwarded
  const headers = new Map(forwarded.headers)
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

function headOf(id: number, { status, headers, content, body }: Response): ForwardedResponse {
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
