import type { ChangeFeed } from '../store/store.ts'
import type { Metrics } from './metrics.ts'

/** The connections of a pool. */
export interface PoolCounts {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
}

/** Adds the gauges of this node's connections to the database. */
export function watchDatabase({ gauge }: Metrics, pool: PoolCounts, changes: ChangeFeed): void {
  gauge('standing_db_connections', 'Connections to the database', () => pool.totalCount)
  gauge('standing_db_connections_idle', 'Idle connections to the database', () => pool.idleCount)
  gauge(
    'standing_db_waiting',
    'Requests that wait for a connection to the database',
    () => pool.waitingCount,
  )
  gauge(
    'standing_notify_connected',
    'Whether this node is notified of changes by other nodes (1) or polls each second (0)',
    () => Number(changes.isConnected()),
  )
}
