import type { Context } from '../context.ts'
import { MODEL } from '../domain/model.ts'
import type { Recorder } from '../ingest/record-reports.ts'
import { revokeFallen } from './revocation.ts'

/** What recording events takes of the service: a score that falls revokes the credentials above it. */
export function recorderOf({ now, newId, policy, rules }: Context): Recorder {
  return {
    now,
    newId,
    model: MODEL,
    policy,
    rules,
    async onScoreDrops(within, drops) {
      for (const { agentId, score, at } of drops) {
        await revokeFallen(within, agentId, score, at)
      }
    },
  }
}
