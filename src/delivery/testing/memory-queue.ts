import type { AttemptRecord } from '../../store/deliveries.ts'
import type { Job } from '../../store/delivery-job.ts'
import type { Claimed, ClaimRequest, DeliveryQueue } from '../../store/delivery-queue.ts'
import type { WebhookHealth } from '../../store/webhooks.ts'
import { HEALTHY, sendable } from '../health.ts'

export interface MemoryJob extends Job {
  readonly body: string
  scheduledAttempts: number
  attempts: readonly AttemptRecord[]
  /** Not claimed before: the time of a retry, or the end of a claim. */
  dueAt: number
  isDone: boolean
}

export interface MemoryQueue extends Pick<DeliveryQueue<MemoryJob>, 'claim' | 'record'> {
  readonly jobs: readonly MemoryJob[]
  readonly claims: () => number
  readonly healthOf: (subscriptionId: string) => WebhookHealth
  readonly insert: (subscriptionId: string, orderingKey: string | null, body?: string) => MemoryJob
}

/** The contract of store/delivery-queue.ts in memory, in as few words as possible. */
export function createMemoryQueue(now: () => number = Date.now): MemoryQueue {
  const jobs: MemoryJob[] = []
  let open: MemoryJob[] = []
  const health = new Map<string, WebhookHealth>()
  let claims = 0

  const healthOf = (id: string) => health.get(id) ?? HEALTHY

  function insert(subscriptionId: string, orderingKey: string | null, body = ''): MemoryJob {
    const id = `job_${jobs.length}`
    const state = { scheduledAttempts: 0, attempts: [], dueAt: 0, isDone: false }
    const job: MemoryJob = { id, subscriptionId, orderingKey, plannedAt: null, body, ...state }
    jobs.push(job)
    open.push(job)
    return job
  }

  async function claim(request: ClaimRequest): Promise<Claimed<MemoryJob>> {
    claims += 1
    const found: { readonly job: MemoryJob; readonly turn: number }[] = []
    const counts = new Map<string, number>()
    const blocked = new Set<string>()
    for (const job of open) {
      const key = `${job.subscriptionId}/${job.orderingKey}`
      const count = counts.get(job.subscriptionId) ?? 0
      const quota = request.quotas.get(job.subscriptionId) ?? request.quota
      const allowed = { any: quota, probe: Math.min(quota, 1), none: 0 }
      const max = allowed[sendable(healthOf(job.subscriptionId), request.now)]
      const isFree = job.dueAt <= request.now && (job.orderingKey === null || !blocked.has(key))
      if (isFree && count < max) {
        found.push({ job, turn: count })
        counts.set(job.subscriptionId, count + 1)
      } else {
        blocked.add(key)
      }
    }
    const inTurns = found.toSorted((a, b) => a.turn - b.turn).map(({ job }) => job)
    const taken = inTurns.slice(0, request.limit)
    for (const job of taken) {
      take(job, request)
    }
    const later = open.map(({ dueAt }) => dueAt).filter((dueAt) => dueAt > request.now)
    const nextAt = later.length === 0 ? null : later.reduce((a, b) => Math.min(a, b))
    return { jobs: taken, nextAt }
  }

  function take(job: MemoryJob, { claimedUntil, probedUntil }: ClaimRequest) {
    job.dueAt = claimedUntil
    const before = healthOf(job.subscriptionId)
    if (before.status === 'paused') {
      health.set(job.subscriptionId, { ...before, notBefore: probedUntil })
    }
  }

  const record: MemoryQueue['record'] = async ({ attempted, returned }, decide) => {
    const ids = new Set(attempted.map(({ subscriptionId }) => subscriptionId))
    const decision = decide(new Map([...ids].map((id) => [id, healthOf(id)])))
    for (const [id, one] of decision.health) {
      health.set(id, one)
    }
    for (const { job, status, nextAttemptAt, scheduledAttempts, record } of decision.attempts) {
      job.isDone = status !== 'pending'
      job.dueAt = nextAttemptAt
      job.scheduledAttempts = scheduledAttempts
      job.attempts = [...job.attempts, record]
    }
    for (const job of returned) {
      job.dueAt = 0
    }
    open = open.filter(({ isDone }) => !isDone)
    return { decision, more: open.some(({ dueAt }) => dueAt <= now()) }
  }

  return { jobs, claims: () => claims, healthOf, insert, claim, record }
}
