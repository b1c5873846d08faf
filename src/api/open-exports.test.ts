import { expect, test } from 'vitest'
import type { Caller } from '../domain/caller.ts'
import type { Response } from '../http/response.ts'
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

test('a node sends a hundred exports at a time', async () => {
  const { send } = createOpenExports()
  for (let i = 0; i < 100; i++) {
    send(agentOf(`owner ${i % 20}`), lines(1))
  }
  expect(() => send(agentOf('another'), lines(1))).toThrow('too many exports')
})
