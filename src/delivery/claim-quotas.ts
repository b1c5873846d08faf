import type { Job } from '../store/delivery-job.ts'
import type { ClaimRequest } from '../store/delivery-queue.ts'
import { NEW_QUOTA, quotaOf, type SubscriptionQueue, sizeOf } from './subscription-queue.ts'

export type ClaimQuotas = Pick<ClaimRequest, 'quota' | 'quotas'>

export interface ClaimQuotasInput<J extends Job> {
  readonly queues: readonly SubscriptionQueue<J>[]
  /** The subscriptions whose receivers are known not to be slow, with or without a queue. */
  readonly healthyIds: () => readonly string[]
  /** Jobs of slow and new receivers that may be in the node. */
  readonly slowJobsMax: number
  /** Jobs of a healthy subscription that may wait in the node. */
  readonly waitingMax: number
}

/**
 * How many jobs to claim for which subscription. Slow receivers, and new ones, get none while the node has
 * enough of their jobs.
 */
export function claimQuotas<J extends Job>(input: ClaimQuotasInput<J>): ClaimQuotas {
  const { queues, healthyIds, slowJobsMax, waitingMax } = input
  const slowJobs = queues.reduce((sum, queue) => sum + (queue.isSlow ? sizeOf(queue) : 0), 0)
  const isCrowded = slowJobs >= slowJobsMax
  // A subscription without a quota of its own counts as new. Where new ones get nothing, the healthy
  // ones need a quota of their own.
  const healthy = isCrowded ? healthyIds().map((id) => [id, NEW_QUOTA] as const) : []
  const known = queues.map((queue) => {
    const isLeftOut = queue.isSlow && isCrowded
    return [queue.id, isLeftOut ? 0 : quotaOf(queue, waitingMax)] as const
  })
  return { quota: isCrowded ? 0 : NEW_QUOTA, quotas: new Map([...healthy, ...known]) }
}
