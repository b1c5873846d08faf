import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { serve } from './server.ts'

test('shutdown does not wait for a slow request, whose client is asked to retry', async () => {
  const requests = new EventTarget()
  const arrived = once(requests, 'request')
  const neverRespond = () => void requests.dispatchEvent(new Event('request'))
  const options = { host: '127.0.0.1', port: 0, drainMaxMs: 50 }
  const server = await serve(neverRespond, { newId: () => 'id', basePath: '' }, options)
  const asked = fetch(`http://127.0.0.1:${server.port}/`)
  await arrived
  await server.close()
  const response = await asked
  expect([response.status, response.headers.get('connection')]).toEqual([503, 'close'])
  expect(response.headers.get('retry-after')).toBe('1')
  expect(await response.json()).toMatchObject({ error: { details: { reason: 'shutting_down' } } })
})

test('shutdown does not wait for a request that never arrives completely', async () => {
  const requests = new EventTarget()
  const arrived = once(requests, 'request')
  const onRequest = () => void requests.dispatchEvent(new Event('request'))
  const listening = { host: '127.0.0.1', port: 0 }
  const server = await serve(onRequest, { newId: () => 'id', basePath: '' }, listening)
  const socket = connect({ port: server.port, host: '127.0.0.1' })
  socket.on('error', () => {})
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf')
  await arrived
  const closed = once(socket, 'close')
  await server.close({ withinMs: 300 })
  await closed
})
