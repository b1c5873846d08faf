import { MODEL_VERSION } from '../domain/model.ts'
import { ChainError } from '../ingest/follow-chain.ts'
import { eachAgent } from '../lib/each-agent.ts'
import { type Schedule, startInterval } from '../lib/interval.ts'
import { type Migration, migrateAgent } from './migrate-model.ts'

export interface ModelMigrator {
  /** Finishes the agent that is being migrated. */
  close(): Promise<void>
}

export interface MigrationListener {
  migrated(agents: number): void
  /** Called for one agent, which stays as it is stored, or for a whole round, which is repeated. */
  failed(error: unknown, agentId?: string): void
}

/**
 * Migrates the agents that another model folded, one by one, at once and whenever there are more.
 * If it is stopped, another round or another node continues.
 */
export function startModelMigrator(
  migration: Migration,
  schedule: Schedule,
  { migrated, failed }: MigrationListener,
): ModelMigrator {
  /** Agents whose log does not match its chain: another attempt would fail as well. */
  const changed = new Set<string>()
  let isClosed = false

  async function round(): Promise<void> {
    let agents = 0
    const migrate = async (agentId: string) => {
      const isMigrated =
        !changed.has(agentId) && (await migrateAgent(migration, agentId, { skipsLocked: true }))
      agents += isMigrated ? 1 : 0
    }
    const agentIds = migration.store.agentStates.agentIds({ notFoldedBy: MODEL_VERSION })
    await eachAgent(agentIds, migrate, {
      isStopping: () => isClosed,
      onFailed(error, agentId) {
        if (error instanceof ChainError) {
          changed.add(agentId)
        }
        failed(error, agentId)
      },
    })
    if (agents > 0) {
      migrated(agents)
    }
  }

  const interval = startInterval({ ...schedule, work: round, onError: failed })
  return {
    async close() {
      isClosed = true
      await interval.stop()
    },
  }
}
