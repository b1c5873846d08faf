import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../test/support/eventually.ts'
import { type BodyBuffer, createBodyBuffer } from './body-buffer.ts'
import { requestOf } from './request.ts'
import { serve } from './server.ts'

/** Reads the body of each request, and responds with what became of it. Senders name themselves. */
async function serveBodies(buffer: BodyBuffer) {
  const server = await serve(
    (req, res) => {
      const sender = () => String(req.headers['x-sender'])
      const read = requestOf(req, { res, path: '/', buffer, sender }).readBody()
      read.then(
        () => res.end('read'),
        (error: Error) => res.end(error.message),
      )
    },
    { newId: () => 'id', basePath: '' },
    { host: '127.0.0.1', port: 0, drainMaxMs: 10 },
  )
  onTestFinished(() => server.close())
  const { port } = server

  return {
    async post(sender: string, bytes: number) {
      const response = await fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        headers: { 'x-sender': sender },
        body: 'x'.repeat(bytes),
      })
      return response.text()
    },
    /** Sends all but the last byte. */
    async postSlowly(sender: string, bytes: number) {
      const socket = connect({ port, host: '127.0.0.1' })
      onTestFinished(() => void socket.destroy())
      let received = ''
      socket.on('data', (data) => {
        received += data
      })
      const head = `POST / HTTP/1.1\r\nHost: localhost\r\nX-Sender: ${sender}\r\nContent-Length: ${bytes}\r\n\r\n`
      socket.write(head + 'x'.repeat(bytes - 1))
      await once(socket, 'connect')
      return { socket, received: () => received }
    },
  }
}

const REFUSAL = 'more bodies are being sent than fit in memory'

/** A buffer, and how many bytes were added to it. */
function watchedBuffer(bytesMax: number) {
  const buffer = createBodyBuffer(bytesMax)
  let added = 0
  const watched: BodyBuffer = {
    begin(sender, giveWay) {
      const body = buffer.begin(sender, giveWay)
      return {
        ...body,
        add(bytes) {
          added += bytes
          body.add(bytes)
        },
      }
    },
  }
  return { buffer: watched, added: () => added }
}

test('if bodies do not fit in memory, the oldest of the sender with the most gives way', async () => {
  const { buffer, added } = watchedBuffer(1_000)
  const { post, postSlowly } = await serveBodies(buffer)
  const other = await postSlowly('other', 300)
  await eventually(() => expect(added()).toBe(299))
  const oldest = await postSlowly('most', 301)
  await eventually(() => expect(added()).toBe(599))
  const newest = await postSlowly('most', 301)
  await eventually(() => expect(added()).toBe(899))
  expect(await post('newcomer', 200)).toBe('read')
  await eventually(() => expect(oldest.received()).toContain(REFUSAL))
  other.socket.write('x')
  newest.socket.write('x')
  await eventually(() => expect(other.received()).toContain('read'))
  await eventually(() => expect(newest.received()).toContain('read'))
})

test('a body that fits with no other is refused while it is sent', async () => {
  const { post } = await serveBodies(createBodyBuffer(1_000))
  expect(await post('a', 1_001)).toContain(REFUSAL)
  expect(await post('a', 1_000)).toBe('read')
})

test('the memory of bodies is free after their responses, and when their clients disconnect', async () => {
  const { buffer, added } = watchedBuffer(1_000)
  const { post, postSlowly } = await serveBodies(buffer)
  for (let i = 0; i < 3; i++) {
    expect(await post('a', 900)).toBe('read')
  }
  const slow = await postSlowly('a', 901)
  await eventually(() => expect(added()).toBe(3_600))
  slow.socket.destroy()
  expect(await post('b', 900)).toBe('read')
})

test('a body that is too large takes no memory from others, however much of it is sent', async () => {
  const { buffer, added } = watchedBuffer(1_000_000)
  const { begin } = buffer
  let freed = 0
  const server = await serve(
    (req, res) => {
      const counted: BodyBuffer = {
        begin(sender, giveWay) {
          const body = begin(sender, giveWay)
          const free = () => {
            freed++
            body.free()
          }
          return { ...body, free }
        },
      }
      const { readBody } = requestOf(req, { res, path: '/', buffer: counted, sender: () => 'a' })
      const refusal = readBody().then(
        () => 'read',
        (error: Error) => error.message,
      )
      req.on('end', async () => res.end(`${await refusal}; ${freed > 0}`))
    },
    { newId: () => 'id', basePath: '' },
    { host: '127.0.0.1', port: 0, drainMaxMs: 10 },
  )
  onTestFinished(() => server.close())
  const url = `http://127.0.0.1:${server.port}/`
  // By its chunks: a length is refused before it is read.
  const body = ReadableStream.from(Array.from({ length: 40 }, () => Buffer.alloc(100_000)))
  const response = await fetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit)
  expect(await response.text()).toMatch(/a body may have at most .*; true/)
  expect(added()).toBeLessThanOrEqual(256 * 1024)
})
