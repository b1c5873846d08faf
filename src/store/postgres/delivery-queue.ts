import type pg from 'pg'
import type { DeliveryJob } from '../delivery-job.ts'
import type { ClaimRequest, DeliveryQueue } from '../delivery-queue.ts'
import { createDatabaseClock } from './database-clock.ts'
import { type Claim, claim, nextDueAt, releaseUnknown } from './delivery-claim.ts'
import { record } from './delivery-record.ts'
import { deregister, heartbeat, prune } from './delivery-upkeep.ts'
import { sqlOn } from './sql.ts'
import { inTransaction } from './transaction.ts'

/** The pause before a queue head that another transaction had locked is tried again: some commits. */
const CONTENDED_MS = 20

/** When to claim again where the database did not say when the next delivery falls due. */
const UNANSWERED_MS = 1_000

/**
 * A crash of the database may undo that a delivery was recorded, and nothing says so. So every so many
 * heartbeats, some sixteen seconds, what a node has claimed is compared with the jobs that it has.
 */
const HEARTBEATS = 4

/** A database that was paused commits earlier statements some time after it resumes. */
const UNKNOWN_MS = 20_000

/** With the clock by which its deliveries should fall due: that of the database, read with each heartbeat. */
export interface PostgresDeliveryQueue extends DeliveryQueue<DeliveryJob> {
  readonly now: () => number
}

/**
 * The queue of deliveries as one node sees it. A node that has the row of a queue head locked has its
 * deliveries: claims skip heads that another node has locked, and never wait.
 */
export function createDeliveryQueue(pool: pg.Pool, nodeId: string): PostgresDeliveryQueue {
  const sql = sqlOn(pool)
  const clock = createDatabaseClock()
  const held = createHeldClaims()
  /** Until then a claim that failed may turn out to be committed all the same. */
  let unknownUntil = Number.NEGATIVE_INFINITY
  let heartbeats = 0

  async function claimOnce(request: ClaimRequest): Promise<Claim> {
    if (performance.now() < unknownUntil || heartbeats >= HEARTBEATS) {
      await releaseUnknown(sql, nodeId, held.numbers())
      heartbeats = 0
    }
    try {
      return await inTransaction(pool, (transaction) => claim(transaction.sql, nodeId, request))
    } catch (error) {
      unknownUntil = performance.now() + UNKNOWN_MS
      throw error
    }
  }

  return {
    async claim(request) {
      const { jobs, isContended } = await claimOnce(request)
      held.add(jobs)
      // After a claim that reached its limit, the next claim follows immediately.
      if (jobs.length >= request.limit) {
        return { jobs, nextAt: null }
      }
      if (isContended) {
        return { jobs, nextAt: request.now + CONTENDED_MS }
      }
      // The jobs are claimed: they are sent even if this fails.
      const nextAt = await nextDueAt(sql, request.now).catch(() => request.now + UNANSWERED_MS)
      return { jobs, nextAt }
    },
    async record(batch, decide) {
      const recorded = await inTransaction(pool, (transaction) =>
        record(transaction.sql, batch, decide),
      )
      held.remove([...batch.attempted, ...batch.returned])
      return recorded
    },
    heartbeat(aliveMs) {
      heartbeats += 1
      return inTransaction(pool, (transaction) =>
        heartbeat(transaction.sql, nodeId, aliveMs, clock),
      )
    },
    now: clock.now,
    deregister: () => deregister(sql, nodeId),
    prune: (before) => prune(sql, before),
  }
}

/** The claims of which this node has jobs, by their numbers. */
function createHeldClaims() {
  const jobsOf = new Map<number, number>()
  const change = (jobs: readonly DeliveryJob[], by: 1 | -1) => {
    for (const { claim: number } of jobs) {
      const count = (jobsOf.get(number) ?? 0) + by
      if (count > 0) {
        jobsOf.set(number, count)
      } else {
        jobsOf.delete(number)
      }
    }
  }
  return {
    add: (jobs: readonly DeliveryJob[]) => change(jobs, 1),
    remove: (jobs: readonly DeliveryJob[]) => change(jobs, -1),
    numbers: () => [...jobsOf.keys()],
  }
}
