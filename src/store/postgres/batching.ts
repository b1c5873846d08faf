import type { Batching } from '../events.ts'
import type { Cluster } from './cluster.ts'
import type { Contention } from './contention.ts'
import { shardOf } from './shards.ts'

/** While the disk writes one batch, the next one is decided and sent. */
const BATCHES_AT_ONCE = 2

/** Batches that lock are written one after the other. Meanwhile the next one gathers more reports for one commit. */
const LOCKING_AT_ONCE = 1

/**
 * On a cluster a batch has the reports of all shards of a server, for one commit. The next one waits, because it may
 * be about the same agents.
 */
export function batchingOf(cluster: Cluster | null, contention: Contention): Batching {
  if (cluster === null) {
    const atOnce = () => (contention.isHigh() ? LOCKING_AT_ONCE : BATCHES_AT_ONCE)
    return { groupOf: () => 0, partOf: () => 0, atOnce }
  }
  const partOf = (agentId: string) => shardOf(cluster.bounds, agentId)
  return { groupOf: (agentId) => cluster.groupOf(partOf(agentId)), partOf, atOnce: () => 1 }
}
