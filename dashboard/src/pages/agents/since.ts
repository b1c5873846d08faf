import type { Snapshot } from '../../api/types.ts'

export type Moment = Pick<Snapshot, 'createdAt' | 'score'>

/**
 * The scores since a time (milliseconds since the epoch), in order: the one of that time first, where it
 * is among the snapshots, which are in order too. Without it the first change since then would be missing.
 */
export function scoresSince(snapshots: readonly Moment[], from: number): readonly Moment[] {
  const before = snapshots.findLastIndex(({ createdAt }) => Date.parse(createdAt) <= from)
  const then = snapshots[before]
  const later = snapshots.slice(before + 1)
  return then ? [{ score: then.score, createdAt: new Date(from).toISOString() }, ...later] : later
}
