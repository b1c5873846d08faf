import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { quantile } from '../../statistics.ts'
import { createChunkReader } from './chunks.ts'

/** Requests to one server, as fast as it answers, one at a time on each connection. */
export interface HttpLoad {
  readonly port: number
  readonly clients: number
  /** Whole HTTP/1.1 requests, taken in turn. In each, `MARK` becomes a number never used before. */
  readonly requests: readonly Uint8Array[]
  readonly warmMs: number
  readonly ms: number
}

/** What came of a load. */
export interface Figure {
  /** Requests, or events where one request carries many, in a second. */
  readonly perSecond: number
  /** All that were done, while warming up too. */
  readonly total: number
  /** How long each took that was done in the time that counts, in ascending order. */
  readonly tookMs: Float64Array
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Stands in a request where each one must differ: sixteen characters, as many as are put there. */
export const MARK = '~~~~~~~~~~~~~~~~'

const HEAD_END = Buffer.from('\r\n\r\n')

/**
 * Written on bare sockets, and the same for every server, so that what asking costs is small and the
 * same on both sides of a ratio. A 503 counts as nothing done: the client waits as long as the
 * response says and connects again. Any other response than a 2xx ends the run, because errors are
 * quick and would look like speed.
 */
export async function loadHttp(load: HttpLoad): Promise<Figure> {
  const requests = load.requests.map((bytes) => {
    const buffer = Buffer.from(bytes)
    return { buffer, marks: positionsOf(MARK, buffer) }
  })
  const run = Date.now().toString(36).padStart(8, '0')
  let turn = 0
  const next = (): Buffer => {
    const { buffer, marks } = requests[turn++ % requests.length] ?? { buffer: HEAD_END, marks: [] }
    if (marks.length === 0) {
      return buffer
    }
    const own = Buffer.from(buffer)
    const unique = run + turn.toString(36).padStart(8, '0')
    for (const mark of marks) {
      own.write(unique, mark, 'latin1')
    }
    return own
  }
  return measure(load, (clock) =>
    Promise.all(Array.from({ length: load.clients }, () => converse(load.port, next, clock))),
  )
}

function positionsOf(text: string, buffer: Buffer): number[] {
  const positions: number[] = []
  for (let at = buffer.indexOf(text); at >= 0; at = buffer.indexOf(text, at + text.length)) {
    positions.push(at)
  }
  return positions
}

/** Says when to stop, and notes when each thing was done. */
export interface Clock {
  readonly done: () => boolean
  readonly note: (startedAt: number) => void
}

/**
 * Runs work until its time is over, and counts what was done once it was warm. Of what began before that or
 * ended after, the part within counts: many batches last a third of a slice, and end together.
 */
export async function measure(
  { warmMs, ms }: Pick<HttpLoad, 'warmMs' | 'ms'>,
  work: (clock: Clock) => Promise<unknown>,
): Promise<Figure> {
  const from = performance.now() + warmMs
  const to = from + ms
  const took: number[] = []
  let counted = 0
  let total = 0
  await work({
    done: () => performance.now() >= to,
    note(startedAt) {
      total++
      const endedAt = performance.now()
      const within = Math.min(endedAt, to) - Math.max(startedAt, from)
      counted += Math.max(within, 0) / (endedAt - startedAt)
      if (endedAt >= from && endedAt < to) {
        took.push(endedAt - startedAt)
      }
    },
  })
  const tookMs = Float64Array.from(took).sort()
  const [p50Ms, p99Ms] = [quantile(tookMs, 0.5), quantile(tookMs, 0.99)]
  return { perSecond: (counted / ms) * 1_000, total, tookMs, p50Ms, p99Ms }
}

/** One client: connects, and connects again after each refusal, until its time is over. */
async function converse(port: number, next: () => Buffer, clock: Clock): Promise<void> {
  for (;;) {
    const waitMs = await askOnOneConnection(port, next, clock)
    if (clock.done()) {
      return
    }
    await delay(waitMs)
  }
}

/** A request, its whole answer, the next request. Returns how long a refused client has to wait. */
function askOnOneConnection(
  port: number,
  next: () => Buffer,
  { done, note }: Clock,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let head: Buffer = Buffer.alloc(0)
    let rest = -1
    let isEnd = createChunkReader()
    let startedAt = 0
    const ask = () => {
      startedAt = performance.now()
      head = Buffer.alloc(0)
      rest = -1
      socket.write(next())
    }
    const read = (bytes: Buffer) => {
      let body = bytes
      if (rest < 0) {
        head = head.length === 0 ? bytes : Buffer.concat([head, bytes])
        const end = head.indexOf(HEAD_END)
        if (end < 0) {
          return
        }
        const waitMs = refusedForMs(head)
        if (waitMs !== null) {
          socket.removeAllListeners('close').destroy()
          return resolve(waitMs)
        }
        const bodyAt = end + HEAD_END.length
        rest = bodyBytes(head, end) - (head.length - bodyAt)
        if (rest === IN_CHUNKS) {
          isEnd = createChunkReader()
          body = head.subarray(bodyAt)
        }
      } else {
        rest -= bytes.length
      }
      if (rest === IN_CHUNKS ? !isEnd(body) : rest > 0) {
        return
      }
      note(startedAt)
      if (!done()) {
        return ask()
      }
      socket.removeAllListeners('close').end()
      resolve(0)
    }
    socket.on('connect', ask)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server hung up')))
    socket.on('data', (bytes) => {
      try {
        read(bytes)
      } catch (error) {
        socket.destroy(error as Error)
      }
    })
  })
}

/** The `Retry-After` of a 503, in milliseconds; null for another response. */
function refusedForMs(head: Buffer): number | null {
  const text = head.toString('latin1')
  return text.startsWith('HTTP/1.1 503 ')
    ? Number(/\r\nretry-after: *(\d+)/i.exec(text)?.[1] ?? 1) * 1_000
    : null
}

/** In place of the length of a body, which stays infinite however many bytes have come. */
const IN_CHUNKS = Number.POSITIVE_INFINITY

function bodyBytes(head: Buffer, end: number): number {
  const text = head.toString('latin1', 0, end)
  if (!text.startsWith('HTTP/1.1 2')) {
    throw new Error(`not answered as hoped:\n${head}`)
  }
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1]
  if (length !== undefined) {
    return Number(length)
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(text)) {
    throw new Error(`an answer of unknown length:\n${text}`)
  }
  return IN_CHUNKS
}
