import { groupBy } from '../../lib/group-by.ts'
import type { ShardPart } from './guard.ts'
import { type ShardBounds, shardOf } from './shards.ts'
import type { DecidedBatch } from './state-cache.ts'

/** The shards of these agents, ascending. */
export function shardsOf(bounds: ShardBounds, agentIds: readonly string[]): readonly number[] {
  return [...new Set(agentIds.map((id) => shardOf(bounds, id)))].toSorted((a, b) => a - b)
}

/** What a batch reads and writes in each of its shards, in their order. */
export function partsOf(
  bounds: ShardBounds,
  shards: readonly number[],
  { scope, decided }: Pick<DecidedBatch, 'scope' | 'decided'>,
): readonly ShardPart[] {
  if (shards.length === 1) {
    return [{ ...scope, ...decided }]
  }
  const shardOfAgent = new Map(scope.agentIds.map((id) => [id, shardOf(bounds, id)]))
  const parted = <T>(all: readonly T[], agentOf: (one: T) => string) => {
    const byShard = groupBy(all, (one) => shardOfAgent.get(agentOf(one)))
    return (shard: number) => byShard.get(shard) ?? []
  }
  const agentIdOf = (one: { readonly agentId: string }) => one.agentId
  const agentIds = parted(scope.agentIds, (id) => id)
  const reportKeys = parted(scope.reportKeys, agentIdOf)
  const externalIds = parted(scope.externalIds, agentIdOf)
  const agentStates = parted(decided.agentStates, agentIdOf)
  const events = parted(decided.events, ({ event }) => event.agentId)
  const snapshots = parted(decided.snapshots, agentIdOf)
  const storedResponses = parted(decided.storedResponses, agentIdOf)
  return shards.map((shard) => ({
    agentIds: agentIds(shard),
    reportKeys: reportKeys(shard),
    externalIds: externalIds(shard),
    agentStates: agentStates(shard),
    events: events(shard),
    snapshots: snapshots(shard),
    storedResponses: storedResponses(shard),
  }))
}
