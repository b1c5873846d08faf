import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import type { FollowedChange } from '../src/index.ts'
import { refusal, serve } from './server.ts'

const event = (id: string) => `id: ${id}\nevent: event\ndata: ${JSON.stringify({ id })}\n\n`

/** A stream that has sent these texts; it goes on unless it is ended. */
const streaming = (texts: readonly string[], isEnded: boolean) => (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  // A shorter pause than the service's.
  for (const text of ['retry: 1\n\n', ...texts]) {
    response.write(text)
  }
  if (isEnded) {
    response.end()
  }
}

/** The first so many changes; then the stream is left. */
async function firstOf(changes: AsyncGenerator<FollowedChange, void>, count: number) {
  const found: FollowedChange[] = []
  for await (const change of changes) {
    if (found.push(change) === count) {
      break
    }
  }
  return found
}

test('a stream that ends is opened again, and continues after the last event', async () => {
  const server = await serve((_request, n) =>
    n === 0
      ? streaming([event('e1'), ':\n\n', event('e2')], true)
      : streaming(
          ['event: changed\ndata: {}\n\n', 'event: later\ndata: {}\n\n', event('e3')],
          false,
        ),
  )
  const changes = await firstOf(server.client({ apiKey: 'avs_x' }).events.follow('a'), 4)
  expect(changes).toEqual([
    { type: 'event', event: { id: 'e1' } },
    { type: 'event', event: { id: 'e2' } },
    { type: 'changed' },
    { type: 'event', event: { id: 'e3' } },
  ])
  expect(server.received.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'e2'])
  expect(server.received[0]?.headers).toMatchObject({
    accept: 'text/event-stream',
    'x-api-key': 'avs_x',
  })
})

test('a message that arrives in pieces is read as one', async () => {
  const bytes = Buffer.from(event('é1'))
  const server = await serve(() => (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    // In the middle of the letter.
    response.write(bytes.subarray(0, 5))
    setImmediate(() => response.write(bytes.subarray(5)))
  })
  const changes = await firstOf(server.client().events.follow('a', { after: 'e0' }), 1)
  expect(changes).toEqual([{ type: 'event', event: { id: 'é1' } }])
  expect(server.received[0]?.headers['last-event-id']).toBe('e0')
})

test('events may be missing where a stream ended before its first one', async () => {
  const server = await serve((_request, n) =>
    n === 0 ? streaming([], true) : streaming([event('e1')], false),
  )
  expect(await firstOf(server.client().events.follow('a'), 2)).toEqual([
    { type: 'gap' },
    { type: 'event', event: { id: 'e1' } },
  ])
})

test('a service that is away is waited for, and a refusal ends the stream', async () => {
  const server = await serve((_request, n) =>
    n === 0
      ? { status: 503, body: refusal('SERVICE_UNAVAILABLE') }
      : n === 1
        ? streaming([event('e1')], true)
        : { status: 403, body: refusal('FORBIDDEN') },
  )
  const changes = server.client().events.follow('a')
  expect(await changes.next()).toMatchObject({ value: { event: { id: 'e1' } } })
  await expect(changes.next()).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

test('an aborted signal ends the stream with its reason', async () => {
  const server = await serve(() => streaming([event('e1')], false))
  const stop = new AbortController()
  const changes = server.client().events.follow('a', { signal: stop.signal })
  await changes.next()
  const next = changes.next()
  stop.abort(new Error('enough'))
  await expect(next).rejects.toThrow('enough')
})

test('an answer that is no stream is refused', async () => {
  const server = await serve(() => ({ status: 200, body: {} }))
  await expect(server.client().events.follow('a').next()).rejects.toMatchObject({
    code: 'UNEXPECTED_RESPONSE',
  })
})
