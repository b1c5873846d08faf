import { expect, test } from 'vitest'
import { createAsset } from './asset.ts'
import type { Request } from './request.ts'

function requestFor(encoding: string): Request {
  return {
    method: 'GET',
    path: '/',
    search: '',
    headers: new Headers({ 'accept-encoding': encoding }),
    peer: '127.0.0.1',
    isGone: () => false,
    readBody: async () => new Uint8Array(),
    body: new ReadableStream<Uint8Array>(),
  }
}

test('each compressed form of a file is made once, however many clients request it at once', async () => {
  let made = 0
  const asset = createAsset({
    type: 'text/plain',
    content: () => {
      made++
      return 'a line of the document\n'.repeat(1_000)
    },
  })
  const encodings = ['identity', 'gzip', 'br'].flatMap((one) => Array<string>(100).fill(one))
  const responses = await Promise.all(encodings.map((one) => asset.respond(requestFor(one))))
  expect(made).toBe(1)
  // Each form is one buffer in memory; the responses do not have copies of it.
  expect(new Set(responses.map(({ content }) => content?.data)).size).toBe(3)
  expect(new Set(responses.map(({ headers }) => headers?.etag)).size).toBe(3)
})
