import type pg from 'pg'
import type { DeliveryJob } from '../delivery-job.ts'
import type { DeliveryQueue } from '../delivery-queue.ts'
import { claim, nextDueAt } from './delivery-claim.ts'
import { record } from './delivery-record.ts'
import { heartbeat, leave, prune } from './delivery-upkeep.ts'
import { sqlOn } from './sql.ts'
import { inTransaction } from './transaction.ts'

/** The pause before a queue head that another transaction had locked is tried again: some commits. */
const CONTENDED_MS = 20

/**
 * The queue of deliveries as one node sees it. A node that has the row of a queue head locked has its
 * deliveries: claims skip heads that another node has locked, and never wait.
 */
export function createDeliveryQueue(pool: pg.Pool, nodeId: string): DeliveryQueue<DeliveryJob> {
  const sql = sqlOn(pool)
  return {
    async claim(request) {
      const { jobs, isContended } = await inTransaction(pool, (transaction) =>
        claim(transaction.sql, nodeId, request),
      )
      // After a claim that the limit cut comes another one at once, whatever falls due.
      if (jobs.length >= request.limit) {
        return { jobs, nextAt: null }
      }
      if (isContended) {
        return { jobs, nextAt: request.now + CONTENDED_MS }
      }
      return { jobs, nextAt: await nextDueAt(sql, request.now) }
    },
    record: (batch, decide) =>
      inTransaction(pool, (transaction) => record(transaction.sql, batch, decide)),
    heartbeat: (aliveMs) =>
      inTransaction(pool, (transaction) => heartbeat(transaction.sql, nodeId, aliveMs)),
    leave: () => leave(sql, nodeId),
    prune: (before) => prune(sql, before),
  }
}
