import { expect, test } from 'vitest'
import type { Job } from '../store/delivery-job.ts'
import { claimQuotas } from './claim-quotas.ts'
import { createSubscriptionQueue, NEW_QUOTA } from './subscription-queue.ts'

function queueOf(id: string, jobs: number, isSlow: boolean) {
  const queue = createSubscriptionQueue<Job>(id, { limit: 4, isSlow })
  const job = { id, subscriptionId: id, orderingKey: null, plannedAt: null, scheduledAttempts: 0 }
  queue.waiting = Array.from({ length: jobs }, () => ({ ...job }))
  return queue
}

function quotasOf(slowJobs: number) {
  const queues = [queueOf('slow', slowJobs, true), queueOf('fast', 10, false)]
  const limits = { slowJobsMax: 8, waitingMax: 64 }
  return claimQuotas({ queues, healthyIds: () => ['fast', 'idle'], ...limits })
}

test('a healthy subscription may fill its queue, a slow one two rounds of its slots', () => {
  expect(quotasOf(1)).toEqual({
    quota: NEW_QUOTA,
    quotas: new Map([
      ['slow', 7],
      ['fast', 54],
    ]),
  })
})

test('with enough jobs of slow receivers in the node, slow and new ones get none', () => {
  expect(quotasOf(8)).toEqual({
    quota: 0,
    quotas: new Map([
      ['fast', 54],
      ['idle', NEW_QUOTA],
      ['slow', 0],
    ]),
  })
})
