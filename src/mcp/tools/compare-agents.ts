import { z } from 'zod'
import { findAgents } from '../find.ts'
import { AgentName, Found, type FoundAgent, Summary } from '../schemas.ts'
import { sentenceOf } from '../sentences.ts'
import { defineTool } from '../tool.ts'

/** More do not fit into a decision, nor comfortably into the context of a model. */
const AGENTS_MAX = 20

export const compareAgents = defineTool({
  name: 'compare_agents',
  title: 'Compare agents',
  description:
    'Ranks 2 to 20 agents, the safest choice first: by the low end of the interval, so that little ' +
    'evidence counts against an agent. Says whether the first is clearly better than the second. ' +
    'Unknown and inactive agents come last. Needs no key. Costs one lookup for each agent.',
  input: z.strictObject({ agents: z.array(AgentName).min(2).max(AGENTS_MAX) }),
  output: z.object({
    ranking: z.array(Found),
    isClear: z
      .boolean()
      .describe('Whether the interval of the first lies above that of the second.'),
    summary: Summary,
  }),
  isReadOnly: true,
  async run({ agents }, context) {
    const found = await findAgents(context, [...new Set(agents)])
    const ranking = onePerAgent(found).sort((a, b) => lowOf(b) - lowOf(a))
    const [first, second] = ranking
    const isClear = lowOf(first) > highOf(second)
    return { ranking, isClear, summary: summaryOf(first, isClear) }
  },
})

/** An agent may be asked for by its id and by several of its names: it is ranked once, as asked first. */
function onePerAgent(found: readonly FoundAgent[]): FoundAgent[] {
  const ids = found.map(({ agentId }) => agentId)
  return found.filter(({ agentId }, i) => agentId === null || ids.indexOf(agentId) === i)
}

/** Below every score: an agent that is unknown or not active should not be chosen. */
const NOT_A_CHOICE = -1

function lowOf(found: FoundAgent | undefined): number {
  return found?.score && found.status === 'active' ? found.score.interval.low : NOT_A_CHOICE
}

function highOf(found: FoundAgent | undefined): number {
  return found?.score && found.status === 'active' ? found.score.interval.high : NOT_A_CHOICE
}

function summaryOf(first: FoundAgent | undefined, isClear: boolean): string {
  if (first === undefined || lowOf(first) === NOT_A_CHOICE) {
    return 'None of them is known and active.'
  }
  const how = isClear ? 'clearly ahead' : 'ahead, but not clearly: the intervals overlap'
  return `The safest choice is ${how}. ${sentenceOf(first)}`
}
