import { expect, test } from 'vitest'
import type { KnownEvent } from '../../../src/store/ingest.ts'
import { createKnownEvents, smallDigest } from './known-events.ts'

function digestOf(amount: number): Uint8Array {
  return smallDigest('a1', { type: 'payment.completed', data: { amount } }, null)
}

test('each of a hundred thousand events is found under its name', () => {
  const known = createKnownEvents()
  const event = {} as KnownEvent['event']
  const early: number[] = []
  for (let i = 0; i < 100_000; i++) {
    if (known.get(`p1 a1 task-${i}`) !== undefined) {
      early.push(i)
    }
    known.set(`p1 a1 task-${i}`, { event, digest: digestOf(i) })
  }
  const wrong = Array.from({ length: 100_000 }, (_, i) => i).filter(
    (i) => Buffer.compare(known.get(`p1 a1 task-${i}`)?.digest ?? digestOf(-1), digestOf(i)) !== 0,
  )
  expect({ early, wrong }).toEqual({ early: [], wrong: [] })
  expect(known.get('p2 a1 task-0')).toBeUndefined()
})

test('a name takes at most forty bytes', () => {
  const known = createKnownEvents()
  const first = known.bytes()
  const event = {} as KnownEvent['event']
  let most = 0
  for (let i = 1; i <= 20_000; i++) {
    known.set(`p1 a1 task-${i}`, { event, digest: digestOf(i) })
    most = known.bytes() > first ? Math.max(most, known.bytes() / i) : most
  }
  expect(most).toBeLessThanOrEqual(40)
  expect(known.bytes()).toBeGreaterThan(first)
})
