import type { ChangeFeed } from '../store/store.ts'
import type { Metrics } from './metrics.ts'

/** The connections of a pool. */
export interface PoolCounts {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
  readonly options: { readonly max: number }
}

/** Adds the gauges of this node's connections to the database. */
export function watchDatabase(
  { gauge, gauges }: Metrics,
  pools: Readonly<Record<string, PoolCounts>>,
  changes: ChangeFeed,
): void {
  const ofPools = (name: string, help: string, value: (pool: PoolCounts) => number) =>
    gauges(
      name,
      help,
      'pool',
      () => new Map(Object.entries(pools).map(([pool, counts]) => [pool, value(counts)])),
    )
  ofPools(
    'standing_db_connections',
    'Connections to the database, by pool',
    ({ totalCount }) => totalCount,
  )
  ofPools(
    'standing_db_connections_idle',
    'Idle connections to the database, by pool',
    ({ idleCount }) => idleCount,
  )
  ofPools(
    'standing_db_connections_max',
    'Connections to the database that may be open, by pool',
    ({ options }) => options.max,
  )
  ofPools(
    'standing_db_waiting',
    'Statements and transactions that wait for a connection, by pool',
    ({ waitingCount }) => waitingCount,
  )
  gauge(
    'standing_notify_connected',
    'Whether this node is notified of changes by other nodes (1) or polls each second (0)',
    () => Number(changes.isConnected()),
  )
}
