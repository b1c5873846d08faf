/**
 * Where Citus puts the rows of an agent: by the hash that PostgreSQL has for a UUID. Computed here too, so that
 * reports that lie together are written together without asking.
 */

/** A shard of every table in which the rows of agents lie. */
export interface Shard {
  readonly lowest: number
  /** Of its part of `agent_states`, whose place is that of all. */
  readonly id: string
  /** The group of the server that had it when this was read: the server and its copies. */
  readonly group: number
  /** The name of its part of each table, by the name of the table. */
  readonly tables: ReadonlyMap<string, string>
}

/** The lowest hash of each shard, ascending. */
export type ShardBounds = readonly number[]

/** Of a single server. */
export const ONE_SHARD: ShardBounds = [-(2 ** 31)]

/** The number of the shard with this agent's rows. */
export function shardOf(bounds: ShardBounds, agentId: string): number {
  const hash = hashOfUuid(agentId)
  let shard = bounds.length - 1
  while (shard > 0 && hash < (bounds[shard] ?? 0)) {
    shard -= 1
  }
  return shard
}

/** These agents by their shard, in the order of the shards, so that no two writers deadlock. */
export function byShard(
  bounds: ShardBounds,
  agentIds: readonly string[],
): readonly (readonly string[])[] {
  const groups = new Map<number, string[]>()
  for (const id of agentIds) {
    const shard = shardOf(bounds, id)
    groups.set(shard, [...(groups.get(shard) ?? []), id])
  }
  return [...groups].toSorted(([a], [b]) => a - b).map(([, ids]) => ids)
}

/** What PostgreSQL begins with: a constant and the length of a UUID in bytes. */
const SEED = (0x9e3779b9 + 16 + 3923095) | 0

/** `uuid_hash` of PostgreSQL: Bob Jenkins’ hash of the sixteen bytes, as a signed number of 32 bits. */
export function hashOfUuid(id: string): number {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex')
  const [a, b, c] = mixed(
    (SEED + bytes.readInt32LE(0)) | 0,
    (SEED + bytes.readInt32LE(4)) | 0,
    (SEED + bytes.readInt32LE(8)) | 0,
  )
  return finished((a + bytes.readInt32LE(12)) | 0, b, c)
}

type Words = readonly [a: number, b: number, c: number]

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}

/** `mix` of the hash, six steps of which each takes the next word in turn. */
function mixed(a: number, b: number, c: number): Words {
  let [x, y, z]: Words = [a, b, c]
  for (const bits of [4, 6, 8, 16, 19, 4]) {
    x = ((x - z) | 0) ^ rotated(z, bits)
    z = (z + y) | 0
    ;[x, y, z] = [y, z, x]
  }
  return [x, y, z]
}

/** `final` of the hash. */
function finished(a: number, b: number, c: number): number {
  let [x, y, z]: Words = [a, b, c]
  for (const bits of [14, 11, 25, 16, 4, 14, 24]) {
    z = ((z ^ y) - rotated(y, bits)) | 0
    ;[x, y, z] = [y, z, x]
  }
  return y
}
