import { expect, test } from 'vitest'
import type { Job } from '../store/delivery-job.ts'
import { createSubscriptionQueue, type SubscriptionQueue } from './subscription-queue.ts'
import { createTurns } from './turns.ts'

/** A queue with this many jobs, each of an ordering key of its own, and ten slots of its own. */
function queueOf(id: string, jobs: number, isSlow = false): SubscriptionQueue<Job> {
  const queue = createSubscriptionQueue<Job>(id, { limit: 10, isSlow })
  queue.waiting = Array.from({ length: jobs }, (_, i) => ({
    id: `${id}${i}`,
    subscriptionId: id,
    orderingKey: `${id}${i}`,
    plannedAt: null,
    scheduledAttempts: 0,
  }))
  return queue
}

function turnsOf(slots: number, queues: readonly SubscriptionQueue<Job>[]) {
  const turns = createTurns<Job>(slots)
  for (const queue of queues) {
    turns.add(queue)
  }
  const started = (count: number) => Array.from({ length: count }, () => turns.next(0)?.id ?? null)
  return { ...turns, started }
}

test('queues take turns, one job each, until no slot is free', () => {
  const { started } = turnsOf(5, [queueOf('a', 4), queueOf('b', 1), queueOf('c', 4)])
  expect(started(6)).toEqual(['a0', 'b0', 'c0', 'a1', 'c1', null])
})

test('slow receivers get half of the slots, and the others go on without them', () => {
  const { started } = turnsOf(4, [queueOf('slow', 4, true), queueOf('fast', 4)])
  expect(started(5)).toEqual(['slow0', 'fast0', 'slow1', 'fast1', null])
  const alone = turnsOf(4, [queueOf('slow', 4, true)])
  expect(alone.started(3)).toEqual(['slow0', 'slow1', null])
})

test('the jobs in flight of a receiver that becomes slow count as slow, and end as such', () => {
  const hanging = queueOf('hanging', 3)
  const slow = queueOf('slow', 3, true)
  const { started, setSlow, end, add } = turnsOf(4, [hanging, slow])
  expect(started(3)).toEqual(['hanging0', 'slow0', 'hanging1'])
  setSlow(hanging, true)
  expect(started(1)).toEqual([null])
  for (const job of [...hanging.started.keys()]) {
    end(hanging, job)
  }
  add(hanging)
  expect(started(2)).toEqual(['slow1', null])
})
