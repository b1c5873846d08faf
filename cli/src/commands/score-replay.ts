import { ChainError } from '../../../src/ingest/replay.ts'
import { createIds } from '../../../src/lib/ids.ts'
import { migrateAgent } from '../../../src/scoring/migrate-model.ts'
import { type Command, configOf, DATA_OPTIONS, parse } from '../command.ts'
import { openDatabase } from '../database.ts'
import { Problem } from '../problem.ts'
import { checkAgent } from '../score/check.ts'

const OPTIONS = [
  { name: 'all', help: 'every agent' },
  { name: 'write', help: 'first fold again what another model folded' },
  ...DATA_OPTIONS,
] as const

export const scoreReplay: Command = {
  name: 'score replay',
  usage: 'AGENT_ID | --all',
  summary: 'Recompute scores from the event log and prove them equal to what is stored',
  options: OPTIONS,
  example: 'standing score replay --all',
  async run(args, { env, say }) {
    const { words, options, flags } = parse(args, OPTIONS)
    const [agentId, ...others] = words
    if (others.length > 0 || (agentId === undefined) !== flags.has('all')) {
      throw new Problem('Give one agent, or --all: standing score replay --all')
    }
    if (agentId !== undefined && !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(agentId)) {
      throw new Problem(`${agentId} is no agent's id.`)
    }
    const { store, close } = await openDatabase(configOf(env, options))
    const means = { store, now: Date.now, newId: createIds() }
    const totals = { agents: 0, events: 0, differ: 0 }
    try {
      for await (const part of agentId === undefined ? store.scores.agentIds() : [[agentId]]) {
        for (const id of part) {
          if (flags.has('write')) {
            await migrate(means, id)
          }
          const checked = await checkAgent(store, id)
          if (!checked) {
            throw new Problem(`There is no agent ${id}.`)
          }
          totals.agents++
          totals.events += checked.events
          if (!checked.difference) {
            continue
          }
          totals.differ++
          const { eventId, what } = checked.difference
          say(`agent ${id} differs${eventId === null ? '' : ` at event ${eventId}`}: ${what}`)
        }
      }
    } finally {
      await close()
    }
    const { agents, events, differ } = totals
    say(
      differ === 0
        ? `${agents} agents, ${events} events: what is stored follows from the log, to the last bit`
        : `${differ} of ${agents} agents differ from what their log gives`,
    )
    return differ === 0 ? 0 : 1
  },
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
