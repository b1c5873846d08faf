import { NEW_AGENT_SCORE } from '../domain/tiers.ts'
import { DAY_MS } from '../domain/time.ts'
import { OWNER_MEMORY_MS } from '../ingest/low-scores.ts'
import { eachAgent } from '../lib/each-agent.ts'
import type { RetentionRun } from './retention.ts'

/** Of snapshots that are a year older than those thinned to days, the last of each week is enough. */
const DAILY_DAYS = 365

/** Thins out the old snapshots of every agent, a part at a time. Of how many agents that failed. */
export function thinSnapshots(run: RetentionRun, now: number, days: number): Promise<number> {
  const { store, isStopping, onRemoved } = run
  const bounds = {
    daysBefore: now - days * DAY_MS,
    weeksBefore: now - (days + DAILY_DAYS) * DAY_MS,
    lowScore: NEW_AGENT_SCORE,
    lowSince: now - OWNER_MEMORY_MS,
  }
  const thinAll = async (agentId: string) => {
    let after: number | null = 0
    while (after !== null && !isStopping()) {
      const { removed, next } = await store.snapshots.thin(agentId, after, bounds)
      onRemoved('snapshots', removed)
      after = next
    }
  }
  return eachAgent(store.agentStates.agentIds(), thinAll, run)
}
