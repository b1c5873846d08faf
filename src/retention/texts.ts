import { removeFromArchive, withoutText } from './archived.ts'
import { everyAgent } from './every-agent.ts'
import type { RetentionRun } from './retention.ts'

/** Rows of one transaction: some tens of milliseconds. */
const PART = 1_000

/** Replaces the texts of old events by their commitments, and removes the names that reporters gave them. */
export async function removeTexts(run: RetentionRun, before: number): Promise<void> {
  const { store, isStopping, onRemoved } = run
  const archived = { store, what: 'texts', before, isStopping, without: withoutText } as const
  for await (const ids of everyAgent(store, isStopping)) {
    for (const agentId of ids) {
      await removeTextsOf(run, agentId, before)
      // Afterwards: what was archived meanwhile is there.
      const removed = await removeFromArchive({ ...archived, agentId })
      if (removed > 0) {
        onRemoved('texts', removed)
      }
    }
  }
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
