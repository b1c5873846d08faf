import { MODEL } from '../domain/model.ts'
import type { Recorder } from '../ingest/record-reports.ts'
import { revokeFallen } from './revocation.ts'

/**
 * What recording events needs from the service: a score that falls revokes the credentials above
 * it.
 */
export function recorderOf(given: Omit<Recorder, 'model' | 'onScoreDrops'>): Recorder {
  const { now, newId, limits, rules } = given
  return {
    now,
    newId,
    model: MODEL,
    limits,
    rules,
    async onScoreDrops(within, drops) {
      for (const { agentId, score, at } of drops) {
        await revokeFallen(within, agentId, score, at)
      }
    },
  }
}
