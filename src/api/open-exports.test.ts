import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Caller } from '../domain/caller.ts'
import type { Response } from '../http/response.ts'
import { writeResponse } from '../http/write-response.ts'
import { createOpenExports } from './open-exports.ts'

const agentOf = (ownerId: string): Caller => ({
  kind: 'agent',
  agentId: 'a',
  ownerId,
  tier: 'free',
})

async function* lines(count: number) {
  for (let i = 0; i < count; i++) {
    yield `${i}\n`
  }
}

// biome-ignore lint/correctness/useYield: it fails before the first line
async function* failing(): AsyncGenerator<string> {
  throw new Error('the log cannot be read')
}

function bodyOf({ content }: Response): ReadableStream {
  if (!(content?.data instanceof ReadableStream)) {
    throw new Error('not a stream')
  }
  return content.data
}

test('an export counts until it was read, failed, or is no longer wanted', async () => {
  const { send } = createOpenExports()
  const caller = agentOf('one')
  for (let round = 0; round < 3; round++) {
    const bodies = Array.from({ length: 5 }, () => bodyOf(send(caller, lines(2))))
    expect(() => send(caller, lines(2))).toThrow('5 exports of this account')
    const [first, ...others] = bodies
    expect(await new globalThis.Response(first).text()).toBe('0\n1\n')
    await Promise.all(others.map((body) => body.cancel()))
    await expect(new globalThis.Response(bodyOf(send(caller, failing()))).text()).rejects.toThrow()
  }
})

test('of a hundred exports of a node, the oldest of the account with the most ends for an account with fewer', async () => {
  const { send } = createOpenExports()
  const bodies = Array.from({ length: 100 }, (_, i) =>
    bodyOf(send(agentOf(`owner ${i % 20}`), lines(3))),
  )
  const read = (body: ReadableStream | undefined) => new globalThis.Response(body).text()
  const other = bodyOf(send(agentOf('another'), lines(3)))
  await expect(read(bodies[0])).rejects.toThrow('another account needs the place')
  expect(await read(bodies[1])).toBe('0\n1\n2\n')
  expect(await read(other)).toBe('0\n1\n2\n')
})

test('a node refuses an account that has as many exports as the others', () => {
  const { send } = createOpenExports()
  for (let i = 0; i < 100; i++) {
    send(agentOf(`owner ${i}`), lines(1))
  }
  expect(() => send(agentOf('another'), lines(1))).toThrow('too many exports')
})

async function* large() {
  for (let i = 0; i < 60; i++) {
    yield `${'x'.repeat(1_000_000)}\n`
  }
}

test('a client whose export ends for another account sees that it is not whole', async () => {
  const { send } = createOpenExports()
  const written: unknown[] = []
  const options = { requestId: 'a', limit: null, isPublic: false, closes: false, isSecure: false }
  const server = createServer((req, res) => {
    written.push(writeResponse(req, res, send(agentOf(req.url ?? ''), large()), options))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const open = async (path: string) => {
    const request = get({ port, path, agent: false })
    onTestFinished(() => void request.destroy())
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return response
  }
  const slow = await open('/one')
  for (let i = 0; i < 99; i++) {
    send(agentOf(`/${i === 0 ? 'one' : i}`), lines(1))
  }
  const ended = once(slow, 'error')
  await open('/another')
  slow.resume()
  expect(await ended).toMatchObject([{ code: 'ECONNRESET' }])
  expect(slow.complete).toBe(false)
  // It is no fault of the service.
  await written[0]
})
