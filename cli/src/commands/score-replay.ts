import { isUuid } from '../../../src/domain/uuid.ts'
import { ChainError } from '../../../src/ingest/follow-chain.ts'
import { createIds } from '../../../src/lib/ids.ts'
import { UserError } from '../../../src/lib/user-error.ts'
import { checkAgent } from '../../../src/scoring/check-agent.ts'
import { migrateAgent } from '../../../src/scoring/migrate-model.ts'
import type { InputOf, Session } from '../command.ts'
import { openDatabase } from '../database.ts'
import { UsageError } from '../exit-codes.ts'
import { configOf } from '../settings.ts'
import type { REPLAY_OPTIONS } from '../table/scores.ts'

export async function scoreReplay(
  { words: [agentId], options, flags }: InputOf<typeof REPLAY_OPTIONS>,
  session: Session,
): Promise<number> {
  if ((agentId === undefined) !== flags.has('all')) {
    throw new UsageError('Give one agent id, or --all: standing score replay --all')
  }
  if (agentId !== undefined && !isUuid(agentId.toLowerCase())) {
    throw new UsageError(`${agentId} is not an agent id.`)
  }
  const { store, close } = await openDatabase(configOf(session.env, options))
  const means = { store, now: Date.now, newId: createIds() }
  const totals = { agents: 0, events: 0, differ: 0 }
  try {
    for await (const part of agentId === undefined ? store.agentStates.agentIds() : [[agentId]]) {
      for (const id of part) {
        if (flags.has('write')) {
          await migrate(means, id)
        }
        const checked = await checkAgent(store, id)
        if (!checked) {
          throw new UserError(`There is no agent ${id}.`)
        }
        totals.agents++
        totals.events += checked.events
        if (!checked.difference) {
          continue
        }
        totals.differ++
        const { eventId, what } = checked.difference
        session.show(
          { agentId: id, eventId, difference: what },
          `agent ${id} differs${eventId === null ? '' : ` at event ${eventId}`}: ${what}`,
        )
      }
    }
  } finally {
    await close()
  }
  const { agents, events, differ } = totals
  session.show(
    totals,
    differ === 0
      ? `${agents} agents, ${events} events: everything stored follows from the log, to the last bit`
      : `${differ} of ${agents} agents differ from what their log gives`,
  )
  return differ === 0 ? 0 : 1
}

/** An agent that cannot be migrated is left as it is: the check that follows says why. */
async function migrate(means: Parameters<typeof migrateAgent>[0], agentId: string): Promise<void> {
  try {
    await migrateAgent(means, agentId)
  } catch (error) {
    if (!(error instanceof ChainError)) {
      throw error
    }
  }
}
