import type { RequestListener } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { DAY_MS } from '../domain/time.ts'
import { createPolicy } from '../outbound/address.ts'
import { createGuardedAgent } from '../outbound/connect.ts'
import { httpReceiver, type Receiver, tcpReceiver } from '../outbound/testing/receiver.ts'
import type { Attempt } from './attempt.ts'
import { post } from './post.ts'

const NOW = Date.parse('2026-06-15T11:00:00Z')
const open: (() => unknown)[] = []

afterEach(async () => {
  for (const close of open.splice(0).reverse()) {
    await close()
  }
})

async function sendTo(receiver: Promise<Receiver>, timeoutMs = 5000): Promise<Attempt> {
  const { port, close } = await receiver
  const dispatcher = createGuardedAgent({ policy: createPolicy(['127.0.0.0/8']) })
  open.push(close, () => dispatcher.destroy())
  const headers = { 'webhook-id': 'evt_1' }
  const url = `http://127.0.0.1:${port}/hook?x=1`
  return post({ url, headers, body: '{"a":"ü"}', dispatcher, timeoutMs, now: () => NOW })
}

function sendToHttp(listener: RequestListener, timeoutMs?: number): Promise<Attempt> {
  return sendTo(httpReceiver(listener), timeoutMs)
}

function sendToStatus(status: number, headers: Record<string, string> = {}): Promise<Attempt> {
  return sendToHttp((_, response) => response.writeHead(status, headers).end())
}

/** A receiver that answers every connection with these raw bytes and hangs up. */
function sendToRaw(answer: string): Promise<Attempt> {
  return sendTo(tcpReceiver((socket) => socket.once('data', () => socket.end(answer))))
}

describe('a post of a webhook', () => {
  test('carries the body and headers unchanged', async () => {
    let seen = {}
    await sendToHttp((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { method, url, headers } = request
        seen = { method, url, headers, body: Buffer.concat(chunks).toString() }
        response.end()
      })
    })
    expect(seen).toMatchObject({
      method: 'POST',
      url: '/hook?x=1',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Standing-Webhooks',
        'webhook-id': 'evt_1',
        'content-length': '10',
      },
      body: '{"a":"ü"}',
    })
  })

  test.each([200, 201, 202, 204, 299])(
    'is delivered if the receiver answers %i',
    async (status) => {
      expect(await sendToStatus(status)).toMatchObject({
        outcome: 'delivered',
        status,
        error: null,
      })
    },
  )

  test.each([400, 401, 404, 408, 409, 418, 500, 501, 502, 503, 504, 599])(
    'fails if the receiver answers %i',
    async (status) => {
      expect(await sendToStatus(status)).toMatchObject({ outcome: 'failed', status })
    },
  )

  test.each([300, 301, 302, 303, 304, 307, 308])(
    'fails if the receiver answers %i, a redirect',
    async (status) => {
      const attempt = await sendToStatus(status, { location: 'https://example.com/' })
      expect(attempt).toMatchObject({
        outcome: 'failed',
        status,
        error: 'redirects are not followed',
      })
    },
  )

  test('answered with 410 means that the receiver is gone', async () => {
    expect(await sendToStatus(410)).toMatchObject({ outcome: 'gone', status: 410 })
  })

  test.each([429, 502, 503, 504])(
    'answered with %i and Retry-After is throttled',
    async (status) => {
      const attempt = await sendToStatus(status, { 'retry-after': '120' })
      expect(attempt).toMatchObject({ outcome: 'throttled', status, retryAfterMs: 120_000 })
    },
  )

  test('answered with 429 is throttled even without Retry-After', async () => {
    expect(await sendToStatus(429)).toMatchObject({ outcome: 'throttled', retryAfterMs: null })
  })

  test('answered with 500 or 200 ignores Retry-After', async () => {
    for (const status of [500, 200]) {
      expect(await sendToStatus(status, { 'retry-after': '120' })).toMatchObject({
        retryAfterMs: null,
      })
    }
  })

  test.each([
    ['0', 0],
    ['Mon, 15 Jun 2026 11:01:00 GMT', 60_000],
    ['Mon, 15 Jun 2026 10:59:00 GMT', 0],
    ['999999999999999999999', DAY_MS],
    ['Fri, 15 Jun 2096 11:01:00 GMT', DAY_MS],
    ['soon', null],
    ['-5x', null],
  ])('reads Retry-After: %s as %s ms', async (text, retryAfterMs) => {
    expect(await sendToStatus(429, { 'retry-after': text })).toMatchObject({ retryAfterMs })
  })
})

describe('a post to a receiver', () => {
  test('that never answers ends in time', async () => {
    const attempt = await sendToHttp(() => {}, 50)
    expect(attempt).toMatchObject({ outcome: 'failed', status: null, error: 'timed out' })
  })

  test('that sends its headers too slowly ends in time', async () => {
    const receiver = tcpReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const drip = setInterval(() => socket.write('x: y\r\n'), 5)
      socket.on('close', () => clearInterval(drip))
    })
    const attempt = await sendTo(receiver, 60)
    expect(attempt).toMatchObject({ outcome: 'failed', status: null, error: 'timed out' })
  })

  test('that answers 200 and sends its body too slowly is delivered, and ends in time', async () => {
    const attempt = await sendToHttp((_, response) => {
      response.write('begun')
      const drip = setInterval(() => response.write('.'), 5)
      response.on('close', () => clearInterval(drip))
    }, 300)
    expect(attempt).toMatchObject({ outcome: 'delivered', status: 200 })
    expect(attempt.responseStart).toMatch(/^begun/)
  })

  test('that answers 500 and sends its body too slowly has failed with 500', async () => {
    const attempt = await sendToHttp((_, response) => response.writeHead(500).write('oops'), 300)
    expect(attempt).toMatchObject({ outcome: 'failed', status: 500, responseStart: 'oops' })
  })

  test('that sends interim answers without end ends in time', async () => {
    const receiver = tcpReceiver((socket) => {
      const drip = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 5)
      socket.on('close', () => clearInterval(drip))
    })
    expect(await sendTo(receiver, 60)).toMatchObject({ outcome: 'failed', error: 'timed out' })
  })

  test('with a huge answer stops reading after 64 KiB', async () => {
    let written = 0
    const attempt = await sendToHttp((_, response) => {
      const chunk = Buffer.alloc(16 * 1024, 'a')
      const fill = () => {
        while (response.writable && response.write(chunk)) {
          written += chunk.length
        }
      }
      response.on('drain', fill).on('error', () => {})
      fill()
    })
    expect(attempt).toMatchObject({ outcome: 'delivered', responseStart: 'a'.repeat(1024) })
    expect(written).toBeLessThan(64 * 1024 * 1024)
  })

  test('with an ordinary answer reuses the open connection', async () => {
    const receiver = await httpReceiver((_, response) => response.end('x'.repeat(60_000)))
    const dispatcher = createGuardedAgent({ policy: createPolicy(['127.0.0.0/8']) })
    open.push(receiver.close, () => dispatcher.destroy())
    const url = `http://127.0.0.1:${receiver.port}/`
    for (let i = 0; i < 5; i += 1) {
      await post({ url, headers: {}, body: '', dispatcher })
    }
    // A second one opens where the first is not yet free when its answer has been read.
    expect(receiver.connections()).toBeLessThanOrEqual(2)
  })

  test.each([
    ['resets the connection', ''],
    ['stops in its headers', 'HTTP/1.1 200 OK\r\nx'],
  ])('that %s fails', async (_, answer) => {
    expect(await sendToRaw(answer)).toMatchObject({
      outcome: 'failed',
      status: null,
      error: 'connection closed by the receiver',
    })
  })

  test('that resets the connection at once fails', async () => {
    const attempt = await sendTo(tcpReceiver((socket) => socket.resetAndDestroy()))
    expect(attempt).toMatchObject({ error: 'connection closed by the receiver' })
  })

  test('that does not use HTTP fails', async () => {
    expect(await sendToRaw('SSH-2.0-OpenSSH_9.2\r\n')).toMatchObject({
      outcome: 'failed',
      status: null,
      error: 'not an HTTP answer',
    })
  })

  test('that switches protocols fails', async () => {
    const answer = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'
    expect(await sendToRaw(answer)).toMatchObject({ outcome: 'failed', status: null })
  })

  test('with headers over 16 KiB fails', async () => {
    const answer = `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`
    expect(await sendToRaw(answer)).toMatchObject({
      outcome: 'failed',
      error: 'response headers too large',
    })
  })

  test('that answers 200 and stops in its body is delivered', async () => {
    const attempt = await sendToRaw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf')
    expect(attempt).toMatchObject({ outcome: 'delivered', status: 200, responseStart: 'half' })
  })

  test('that refuses the connection fails', async () => {
    const { port, close } = await httpReceiver(() => {})
    await close()
    const attempt = await sendTo(Promise.resolve({ port, connections: () => 0, close }))
    expect(attempt).toMatchObject({ outcome: 'failed', error: 'connection refused' })
  })

  test('records at most 1 KiB of the answer, in whole characters without NUL', async () => {
    const attempt = await sendToHttp((_, response) => response.end(`\0${'ü'.repeat(1000)}`))
    expect(attempt.responseStart).toBe(`\ufffd${'ü'.repeat(511)}`)
  })

  test('never rejects, for any arguments', async () => {
    const dispatcher = createGuardedAgent({ policy: createPolicy([]) })
    open.push(() => dispatcher.destroy())
    for (const url of ['', 'nonsense', 'ftp://example.com/', 'https://']) {
      expect(await post({ url, headers: {}, body: '', dispatcher })).toMatchObject({
        outcome: 'failed',
        status: null,
      })
    }
    const headers = { 'x-bad': 'a\r\nb: c' }
    expect(await post({ url: 'https://a.b/', headers, body: '', dispatcher })).toMatchObject({
      outcome: 'failed',
    })
  })
})
