import { MARK } from './load.ts'

/** How many events a batch carries: as many as one may. */
export const BATCH = 100

/** Ready-made requests, byte for byte as a client on a kept connection sends them. */
export function requestBytes(
  method: 'GET' | 'POST',
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Uint8Array {
  const text = body === undefined ? '' : JSON.stringify(body)
  const all = {
    host: '127.0.0.1',
    accept: '*/*',
    ...headers,
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`)
}

/** Reports of platforms: mostly of completed work, sometimes of failed work. */
const SAID: readonly unknown[] = [
  { type: 'task.completed', data: { duration: 1200, success: true } },
  { type: 'task.completed', data: { duration: 340 } },
  { type: 'payment.completed', data: { amount: 120, currency: 'USD' } },
  { type: 'task.completed', data: { duration: 9000, success: true } },
  { type: 'uptime.report', data: { uptimePercentage: 99.9, responseTimeMs: 80 } },
  { type: 'task.failed', data: { duration: 700, errorCode: 'E_UPSTREAM' } },
  { type: 'task.completed', data: { duration: 2100 } },
]

export function eventOf(i: number): unknown {
  return SAID[i % SAID.length]
}

export function batchOf(i: number): unknown {
  return { events: Array.from({ length: BATCH }, (_, k) => eventOf(i + k)) }
}

/** As the SDK sends it: a fresh Idempotency-Key with every write. */
export const KEYED = { 'idempotency-key': `bench-${MARK}` }
