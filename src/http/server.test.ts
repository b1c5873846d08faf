import { once } from 'node:events'
import { expect, test } from 'vitest'
import { serve } from './server.ts'

test('a client that keeps its answer waiting does not keep the service from ending', async () => {
  const heard = new EventTarget()
  const asked = once(heard, 'asked')
  const never = () => new Promise<Response>(() => heard.dispatchEvent(new Event('asked')))
  const site = { answer: () => false, fetch: never }
  const server = await serve(site, { host: '127.0.0.1', port: 0, drainMaxMs: 50 })
  const answer = fetch(`http://127.0.0.1:${server.port}/`).catch(() => 'cut off')
  await asked
  await server.close()
  expect(await answer).toBe('cut off')
})
