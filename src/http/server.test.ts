import { once } from 'node:events'
import { expect, test } from 'vitest'
import { serve } from './server.ts'

test('a response that is never sent does not keep the service from ending', async () => {
  const requests = new EventTarget()
  const arrived = once(requests, 'request')
  const neverRespond = () => void requests.dispatchEvent(new Event('request'))
  const options = { host: '127.0.0.1', port: 0, drainMaxMs: 50 }
  const server = await serve(neverRespond, { newId: () => 'id', basePath: '' }, options)
  const response = fetch(`http://127.0.0.1:${server.port}/`).catch(() => 'cut off')
  await arrived
  await server.close()
  expect(await response).toBe('cut off')
})
