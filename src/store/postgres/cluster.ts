import { type Queryable, readShards } from './distribution.ts'
import type { Shard, ShardBounds } from './shards.ts'
import type { Workers } from './workers.ts'

/** The shards of a Citus cluster, and the ways to them. */
export interface Cluster {
  readonly shards: readonly Shard[]
  readonly bounds: ShardBounds
  readonly workers: Workers
}

/** For a program that reaches all shards through the coordinator. */
const NO_WORKERS: Workers = {
  async connect() {},
  run: async () => null,
  async close() {},
}

/** Null on a server where nothing is distributed. */
export async function readCluster(
  database: Queryable,
  workers: Workers = NO_WORKERS,
): Promise<Cluster | null> {
  const shards = await readShards(database)
  return shards && { shards, bounds: shards.map(({ lowest }) => lowest), workers }
}
