import type { Batching } from '../events.ts'
import type { Cluster } from './cluster.ts'
import { shardOf } from './shards.ts'

/** While the disk writes one batch, the next one is decided and sent. */
const BATCHES_AT_ONCE = 2

/**
 * On a cluster a batch has the reports of all shards of a server, for one commit. The next one waits, because it may
 * be about the same agents.
 */
export function batchingOf(cluster: Cluster | null): Batching {
  if (cluster === null) {
    return { groupOf: () => 0, partOf: () => 0, atOnce: BATCHES_AT_ONCE }
  }
  const partOf = (agentId: string) => shardOf(cluster.bounds, agentId)
  return { groupOf: (agentId) => cluster.groupOf(partOf(agentId)), partOf, atOnce: 1 }
}
