import { type Command, configOf, DATA_OPTIONS, parse } from '../command.ts'
import { openDatabase } from '../database.ts'
import { Problem } from '../problem.ts'
import { checkAgent } from '../score/check.ts'

export const scoreReplay: Command = {
  name: 'score replay',
  usage: 'AGENT_ID | --all [--data-dir DIR | --database-url URL]',
  summary: 'Recompute scores from the event log and prove them equal to what is stored',
  async run(args, { env, say }) {
    const { words, options, flags } = parse(args, DATA_OPTIONS, ['all'])
    const [agentId, ...others] = words
    if (others.length > 0 || (agentId === undefined) !== flags.has('all'))
      throw new Problem('Give one agent, or --all: standing score replay --all')
    if (agentId !== undefined && !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(agentId))
      throw new Problem(`${agentId} is no agent's id.`)
    const { store, close } = await openDatabase(configOf(env, options))
    const totals = { agents: 0, events: 0, differ: 0 }
    try {
      for await (const part of agentId === undefined ? store.scores.agentIds() : [[agentId]]) {
        for (const id of part) {
          const checked = await checkAgent(store, id)
          if (!checked) throw new Problem(`There is no agent ${id}.`)
          totals.agents++
          totals.events += checked.events
          if (!checked.difference) continue
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
