import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../test/support/eventually.ts'
import { createBodyBuffer } from './body-buffer.ts'
import { requestOf } from './request.ts'
import { serve } from './server.ts'

test('slow request bodies take bounded memory, which is freed when their clients disconnect', async () => {
  const buffer = createBodyBuffer(1_000)
  const server = await serve(
    (req, res) => {
      const read = requestOf(req, { res, path: '/', buffer }).readBody()
      read.then(
        () => res.end('read'),
        (error: Error) => res.end(error.message),
      )
    },
    { newId: () => 'id', basePath: '' },
    { host: '127.0.0.1', port: 0, drainMaxMs: 10 },
  )
  onTestFinished(() => server.close())
  const post = async () => {
    const response = await fetch(`http://127.0.0.1:${server.port}/`, { method: 'POST', body: '{}' })
    return response.text()
  }
  expect(await post()).toBe('read')
  const slow = connect({ port: server.port, host: '127.0.0.1' })
  slow.on('error', () => {})
  const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000\r\n\r\n'
  slow.write(head + 'x'.repeat(1_000))
  await eventually(() => expect(buffer.isFull()).toBe(true))
  expect(await post()).toContain('more bodies are being sent than fit in memory')
  slow.destroy()
  await eventually(() => expect(buffer.isFull()).toBe(false))
  expect(await post()).toBe('read')
})

test('a body that is too large takes no memory from others, however much of it is sent', async () => {
  const { add, isFull } = createBodyBuffer(1_000_000)
  let most = 0
  let bytes = 0
  const counted = (more: number) => {
    add(more)
    bytes += more
    most = Math.max(most, bytes)
  }
  const refusals: string[] = []
  const server = await serve(
    (req, res) => {
      const buffer = { add: counted, isFull }
      const { readBody } = requestOf(req, { res, path: '/', buffer })
      readBody().catch((error: Error) => refusals.push(error.message))
      req.on('end', () => res.end('read'))
    },
    { newId: () => 'id', basePath: '' },
    { host: '127.0.0.1', port: 0, drainMaxMs: 10 },
  )
  onTestFinished(() => server.close())
  const url = `http://127.0.0.1:${server.port}/`
  // By its chunks: a length is refused before it is read.
  const body = ReadableStream.from(Array.from({ length: 40 }, () => Buffer.alloc(100_000)))
  const response = await fetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit)
  expect(await response.text()).toBe('read')
  expect(refusals).toEqual([expect.stringContaining('a body may have at most')])
  expect(most).toBeLessThanOrEqual(256 * 1024)
  await eventually(() => expect(bytes).toBe(0))
})
