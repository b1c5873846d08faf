import { expect, test } from 'vitest'
import type { KnownEvent } from '../../src/store/ingest.ts'
import { createKnownEvents, smallDigest } from './known-events.ts'

function digestOf(amount: number): Uint8Array {
  return smallDigest('a1', { type: 'payment.completed', data: { amount } })
}

test('a hundred thousand names are each known by what was said under them', () => {
  const known = createKnownEvents()
  const event = {} as KnownEvent['event']
  for (let i = 0; i < 100_000; i++) {
    expect(known.get(`p1 a1 task-${i}`)).toBeUndefined()
    known.set(`p1 a1 task-${i}`, { event, digest: digestOf(i) })
  }
  const wrong = Array.from({ length: 100_000 }, (_, i) => i).filter(
    (i) => Buffer.compare(known.get(`p1 a1 task-${i}`)?.digest ?? digestOf(-1), digestOf(i)) !== 0,
  )
  expect(wrong).toEqual([])
  expect(known.get('p2 a1 task-0')).toBeUndefined()
})
