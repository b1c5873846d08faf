import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFrameReader, createFrameSender, type Frame } from './frames.ts'

const frame = fc.record({ head: fc.jsonValue(), bytes: fc.uint8Array({ maxLength: 300 }) })

test('what is sent arrives whole and in order, in whatever pieces the stream brings it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(frame),
      fc.integer({ min: 1, max: 200 }),
      async (frames, pieceLength) => {
        const stream = new PassThrough()
        const send = createFrameSender(stream)
        for (const { head, bytes } of frames) {
          send(head, bytes)
        }
        await new Promise((next) => setImmediate(next))
        stream.end()
        const sent = Buffer.concat(await stream.toArray())
        const read: Frame<unknown>[] = []
        const receive = createFrameReader((one) => read.push(one))
        for (let at = 0; at < sent.length; at += pieceLength) {
          receive(sent.subarray(at, at + pieceLength))
        }
        const plain = (one: Frame<unknown>) => [JSON.stringify(one.head), [...one.bytes]]
        expect(read.map(plain)).toEqual(frames.map(plain))
      },
    ),
  )
})

test('bytes may be given as text', async () => {
  const stream = new PassThrough()
  const read: Frame<unknown>[] = []
  stream.on(
    'data',
    createFrameReader((one) => read.push(one)),
  )
  createFrameSender(stream)({ id: 1 }, '{"name":"Zoë"}')
  await new Promise((next) => setImmediate(next))
  expect(read.map(({ head, bytes }) => [head, Buffer.from(bytes).toString()])).toEqual([
    [{ id: 1 }, '{"name":"Zoë"}'],
  ])
})
