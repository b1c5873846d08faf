import type pg from 'pg'
import type { DeliveryJob } from '../../delivery/delivery-job.ts'
import type { DeliveryStore } from '../../delivery/delivery-store.ts'
import { claim, nextAt } from './delivery-claim.ts'
import { record } from './delivery-record.ts'
import { sqlOn } from './sql.ts'
import { inTransaction } from './store.ts'

/** Until a lane that another transaction was at is looked at again: some commits later. */
const CONTENDED_MS = 20

/**
 * The queue of deliveries as one node sees it. Whoever holds a lane's row holds the lane: claims
 * step over those that another node is at, and never wait.
 */
export function createDeliveryStore(pool: pg.Pool, nodeId: string): DeliveryStore<DeliveryJob> {
  return {
    async claim(request) {
      const { jobs, isContended } = await inTransaction(pool, (sql) => claim(sql, nodeId, request))
      // A claim that its limit cut is followed by the next one, whatever falls due.
      if (jobs.length >= request.limit) {
        return { jobs, nextAt: null }
      }
      if (isContended) {
        return { jobs, nextAt: request.now + CONTENDED_MS }
      }
      return { jobs, nextAt: await nextAt(sqlOn(pool), request.now) }
    },
    record: (done, back) => inTransaction(pool, (sql) => record(sql, done, back)),
  }
}
