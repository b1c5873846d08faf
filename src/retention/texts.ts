import { DAY_MS } from '../domain/time.ts'
import { eachAgent } from '../lib/each-agent.ts'
import type { RetentionRun } from './retention.ts'
import { rewriteEvents, withoutText } from './rewrite.ts'

/**
 * Replaces the texts of old events by their commitments, and removes the names that reporters gave them. Of how many
 * agents that failed.
 */
export function removeTexts(run: RetentionRun, now: number, days: number): Promise<number> {
  const { store, onRemoved } = run
  const aged = { what: 'texts', before: now - days * DAY_MS } as const
  const removeAll = (agentId: string) =>
    rewriteEvents(run, agentId, aged, withoutText, (count) => {
      if (count > 0) {
        onRemoved('texts', count)
      }
    })
  return eachAgent(store.agentStates.agentIds(), removeAll, run)
}
