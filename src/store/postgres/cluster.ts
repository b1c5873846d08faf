import { type Queryable, readGroups, readShards } from './distribution.ts'
import type { Shard, ShardBounds } from './shards.ts'
import type { Workers } from './workers.ts'

/** The shards of a Citus cluster, and the ways to them. */
export interface Cluster {
  readonly shards: readonly Shard[]
  readonly bounds: ShardBounds
  readonly workers: Workers
  /** The group of the server that has the shard, as last read. */
  groupOf(shard: number): number
  /** Reads again which groups have the shards: one may have been moved. */
  locate(): Promise<void>
}

/** For a program that reaches all shards through the coordinator. */
const NO_WORKERS: Workers = {
  async connect() {},
  isReached: () => false,
  run: async () => null,
  async close() {},
}

/** Null on a server where nothing is distributed. */
export async function readCluster(
  database: Queryable,
  workers: Workers = NO_WORKERS,
): Promise<Cluster | null> {
  const shards = await readShards(database)
  if (shards === null) {
    return null
  }
  const ids = shards.map(({ id }) => id)
  let groups = shards.map(({ group }) => group)
  const groupOf = (shard: number) => groups[shard] ?? 0
  return {
    shards,
    bounds: shards.map(({ lowest }) => lowest),
    workers,
    groupOf,
    async locate() {
      const read = await readGroups(database, ids)
      groups = ids.map((id, shard) => read.get(id) ?? groupOf(shard))
    },
  }
}
