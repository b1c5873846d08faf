import { DAY_MS } from '../domain/time.ts'
import { eachAgent } from '../lib/each-agent.ts'
import { APPEAL_MS } from '../reviews/reviews.ts'
import type { ArchiveBounds } from '../store/archive.ts'
import type { Store } from '../store/store.ts'
import type { RetentionRun } from './retention.ts'

/**
 * An agent with fewer events waits until they are worth a part, and at most this many days longer: a part of
 * few events takes as much room as the events do.
 */
const PART_MIN = 256
const OVERDUE_DAYS = 30

/**
 * Moves old events to the archive, a part at a time. An agent that is locked is left for the next round. Of how many
 * agents that failed.
 */
export function archiveEvents(run: RetentionRun, now: number, days: number): Promise<number> {
  const { store, isStopping, onRemoved } = run
  const before = now - days * DAY_MS
  const bounds: ArchiveBounds = {
    before,
    appealableSince: now - APPEAL_MS,
    partMin: PART_MIN,
    overdueBefore: before - OVERDUE_DAYS * DAY_MS,
  }
  const archiveAll = async (agentId: string) => {
    let moved = 1
    while (moved > 0 && !isStopping()) {
      moved = await store.transaction(({ archive }) => archive.addNext(agentId, bounds))
      onRemoved('events', moved)
    }
  }
  return eachAgent(dueAgents(store, before), archiveAll, run)
}

/** The agents with events from before this time that are not archived yet. */
async function* dueAgents(
  { agentStates, archive }: Pick<Store, 'agentStates' | 'archive'>,
  before: number,
): AsyncIterable<readonly string[]> {
  for await (const agentIds of agentStates.agentIds()) {
    yield await archive.due(agentIds, before)
  }
}
