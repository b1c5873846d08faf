import type { RequestListener } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createOutbound } from './outbound.ts'
import { httpReceiver } from './testing/receiver.ts'

/** What is fetched from a server on loopback, which the operator admits. */
async function fetched(listener: RequestListener) {
  const { port, close } = await httpReceiver(listener)
  onTestFinished(close)
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  onTestFinished(() => outbound.close())
  return outbound.fetch(`http://127.0.0.1:${port}/card.json`)
}

test.each([429, 500, 502, 503, 504])(
  'a server that answers %i has not said that there is no document',
  async (status) => {
    expect(await fetched((_, response) => response.writeHead(status).end())).toEqual({
      problem: { code: 'unreachable', message: `answered ${status}`, isAnswered: false },
    })
  },
)

test.each([204, 401, 404, 410])('a server that answers %i has no document', async (status) => {
  expect(await fetched((_, response) => response.writeHead(status).end())).toMatchObject({
    problem: { code: 'not_found', isAnswered: true },
  })
})

test('a document that never ends is cut off, and its connection closed', async () => {
  let isClosed: Promise<unknown> = Promise.resolve()
  const result = await fetched((_, response) => {
    isClosed = new Promise((resolve) => response.on('close', resolve))
    const more = () => {
      while (response.write('x'.repeat(64 * 1024))) {}
    }
    response.on('drain', more)
    more()
  })
  expect(result).toMatchObject({ problem: { code: 'too_large', isAnswered: true } })
  await isClosed
})

test.each([
  ['http://127.0.0.1:6379/', 'a database listens there'],
  ['http://127.0.0.1:22/', 'a service of the system listens there'],
  ['http://user@127.0.0.1:8080/', 'it carries a user name'],
  ['file:///etc/passwd', 'it is not on the web'],
])('the address %s is not fetched: %s', async (url) => {
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  onTestFinished(() => outbound.close())
  expect(await outbound.fetch(url)).toMatchObject({ problem: { code: 'address_not_allowed' } })
})
