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
  const archived = { store, what: 'texts', before, isStopping, without: withoutText } as const
  const removeAll = async (agentId: string) => {
    await removeTextsOf(run, agentId, before)
    // Afterwards: what was archived meanwhile is there.
    const removed = await removeFromArchive({ ...archived, agentId })
    if (removed > 0) {
      onRemoved('texts', removed)
    }
  }
  return eachAgent(store.agentStates.agentIds(), removeAll, run)
}

async function removeTextsOf(run: RetentionRun, agentId: string, before: number): Promise<void> {
  const { store, isStopping, onRemoved } = run
  let after: number | null = 0
  while (after !== null && !isStopping()) {
    const from: number = after
    after = await store.transaction(async (within) => {
      const read = (limit: number) =>
        within.events.listWith('texts', agentId, { after: from, before, limit })
      if ((await read(1)).length === 0) {
        return null
      }
      // A review that runs reads and writes the same events, and another node may archive them.
      await within.agentStates.find(agentId, { lock: 'wait' })
      const events = await read(PART)
      await within.events.saveWithoutTexts(events.map(withoutText))
      onRemoved('texts', events.length)
      return events.at(-1)?.seq ?? null
    })
  }
}
