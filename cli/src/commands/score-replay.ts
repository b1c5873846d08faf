import { isUuid } from '../../../src/domain/uuid.ts'
import { ChainError } from '../../../src/ingest/follow-chain.ts'
import { createIds } from '../../../src/lib/ids.ts'
import { UsageError, UserError } from '../../../src/lib/user-error.ts'
import { checkAgent } from '../../../src/scoring/check-agent.ts'
import { migrateAgent } from '../../../src/scoring/migrate-model.ts'
import type { InputOf, Session } from '../command.ts'
import { withDatabase } from '../database.ts'
import { counted } from '../output.ts'
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
  const totals = { agents: 0, events: 0, differ: 0 }
  await withDatabase(configOf(session.env, options), async ({ store }) => {
    const means = { store, now: Date.now, newId: createIds() }
    for await (const part of agentId === undefined ? store.agentStates.agentIds() : [[agentId]]) {
      for (const id of part) {
        if (flags.has('write')) {
          await migrate(means, id)
        }
        const checked = await checkAgent(store, id)
        if (checked) {
          count(totals, id, checked, session)
        } else if (id === agentId) {
          // Of all agents, one that was deleted after it was listed has nothing to check.
          throw new UserError(`There is no agent ${id}.`)
        }
      }
    }
  })
  const { agents, events, differ } = totals
  session.show(
    totals,
    differ === 0
      ? `${counted(agents, 'agent')}, ${counted(events, 'event')}: everything stored is what the log gives, bit for bit`
      : `of ${counted(agents, 'agent')}, ${differ} ${differ === 1 ? 'differs' : 'differ'} from what the log gives`,
  )
  return differ === 0 ? 0 : 1
}

interface Totals {
  agents: number
  events: number
  differ: number
}

type Checked = NonNullable<Awaited<ReturnType<typeof checkAgent>>>

/** Counts an agent, and shows where it differs from its log. */
function count(
  totals: Totals,
  agentId: string,
  { events, difference }: Checked,
  session: Session,
): void {
  totals.agents++
  totals.events += events
  if (difference) {
    totals.differ++
    const { eventId, what } = difference
    session.show(
      { agentId, eventId, difference: what },
      `agent ${agentId} differs${eventId === null ? '' : ` at event ${eventId}`}: ${what}`,
    )
  }
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
