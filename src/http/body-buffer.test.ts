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
