import { connect, type Socket } from 'node:net'

/** Clients that ask one server at the same time and never wait: a refused request is sent again at once. */
export interface Flood {
  readonly port: number
  readonly clients: number
  /** Whole HTTP/1.1 requests, taken in turn. */
  readonly requests: readonly Uint8Array[]
  readonly warmMs: number
  readonly ms: number
}

/** What the clients got. Latencies are of accepted requests, from the connection attempt on. */
export interface FloodResult {
  readonly acceptedPerSecond: number
  readonly refusedPerSecond: number
  /** Connections that ended without a response. */
  readonly cutOffPerSecond: number
  /** Of each accepted request, in ascending order. */
  readonly tookMs: readonly number[]
}

interface Counts {
  accepted: number
  refused: number
  cutOff: number
  readonly tookMs: number[]
}

/** Resolves after `warmMs` and `ms`; only what ends in the latter counts. */
export async function flood(options: Flood): Promise<FloodResult> {
  const { clients, warmMs, ms } = options
  const counts: Counts = { accepted: 0, refused: 0, cutOff: 0, tookMs: [] }
  const countsFrom = performance.now() + warmMs
  const until = countsFrom + ms
  const run = { countsFrom, until, turn: 0 }
  await Promise.all(Array.from({ length: clients }, () => converse(options, run, counts)))
  counts.tookMs.sort((a, b) => a - b)
  const perSecond = (count: number) => (count / ms) * 1_000
  return {
    acceptedPerSecond: perSecond(counts.accepted),
    refusedPerSecond: perSecond(counts.refused),
    cutOffPerSecond: perSecond(counts.cutOff),
    tookMs: counts.tookMs,
  }
}

interface Run {
  readonly countsFrom: number
  readonly until: number
  turn: number
}

/** One client: a connection as long as the server keeps it, then the next one. */
async function converse(options: Flood, run: Run, counts: Counts): Promise<void> {
  while (performance.now() < run.until) {
    await converseOnce(options, run, counts)
  }
}

function converseOnce({ port, requests }: Flood, run: Run, counts: Counts): Promise<void> {
  return new Promise((resolve) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let startedAt = performance.now()
    let received = ''
    let isAnswered = false
    const end = setTimeout(() => socket.destroy(), Math.max(0, run.until - startedAt))
    const ask = () => {
      received = ''
      isAnswered = false
      socket.write(requests[run.turn++ % requests.length] ?? '')
    }
    socket.on('connect', ask)
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      const status = statusOf(received)
      if (status === null) {
        return
      }
      const now = performance.now()
      isAnswered = true
      if (now >= run.countsFrom && now < run.until) {
        count(counts, status, now - startedAt)
      }
      if (/\r\nconnection: close/i.test(received)) {
        return void socket.destroy()
      }
      startedAt = now
      ask()
    })
    socket.on('close', () => {
      clearTimeout(end)
      const now = performance.now()
      if (!isAnswered && now >= run.countsFrom && now < run.until) {
        counts.cutOff++
      }
      // A port that refuses connections must not make a busy loop of this.
      setTimeout(resolve, isAnswered ? 0 : 1)
    })
  })
}

function count(counts: Counts, status: number, ms: number): void {
  if (status < 300) {
    counts.accepted++
    counts.tookMs.push(ms)
  } else {
    counts.refused++
  }
}

/** The status of a response that is there as a whole, otherwise null. */
function statusOf(received: string): number | null {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) {
    return null
  }
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(received.slice(0, end + 2))?.[1] ?? 0)
  return received.length >= end + 4 + length ? Number(received.slice(9, 12)) : null
}
