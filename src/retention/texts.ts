import { DAY_MS } from '../domain/time.ts'
import { eachAgent } from '../lib/each-agent.ts'
import { removeFromArchive, withoutText } from './archived.ts'
import type { RetentionRun } from './retention.ts'

/** Rows of one transaction: some tens of milliseconds. */
const PART = 1_000

/**
 * Replaces the texts of old events by their commitments, and removes the names that reporters gave them. Of how many
 * agents that failed.
 */
export function removeTexts(run: RetentionRun, now: number, days: number): Promise<number> {
  const { store, isStopping, onRemoved } = run
  const before = now - days * DAY_MS
  const counted = (removed: number) => {
    if (removed > 0) {
      onRemoved('texts', removed)
    }
  }
  const archived = { store, what: 'texts', before, isStopping, without: withoutText } as const
  const removeAll = async (agentId: string) => {
    await removeTextsOf(run, agentId, before, counted)
    // Afterwards: what was archived meanwhile is there.
    counted(await removeFromArchive({ ...archived, agentId }))
  }
  return eachAgent(store.agentStates.agentIds(), removeAll, run)
}

async function removeTextsOf(
  { store, isStopping }: RetentionRun,
  agentId: string,
  before: number,
  counted: (removed: number) => void,
): Promise<void> {
  while (!isStopping() && (await store.events.agedTexts(agentId, before, PART)) !== null) {
    const removed = await store.transaction(async (within) => {
      // A review that runs reads and writes the same events, and another node may archive them.
      await within.agentStates.find({ agentId }, { lock: 'wait' })
      const aged = await within.events.agedTexts(agentId, before, PART)
      if (aged === null) {
        return 0
      }
      const events = await within.events.listWith('texts', agentId, { ...aged, limit: PART })
      await within.events.saveWithoutTexts(events.map(withoutText))
      await within.events.markTextsRemoved(agentId, aged.last)
      return events.length
    })
    counted(removed)
  }
}
