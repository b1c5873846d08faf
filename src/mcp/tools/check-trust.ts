import { z } from 'zod'
import { findAgents } from '../find.ts'
import { AgentName, Found, Summary } from '../schemas.ts'
import { sentenceOf } from '../sentences.ts'
import { defineTool } from '../tool.ts'

export const checkTrust = defineTool({
  name: 'check_trust',
  title: 'Check whether an agent can be trusted',
  description:
    'The trust score of one agent (0 to 1000) with its tier, confidence and interval, the dispute ' +
    'flag, the exposure limit and the probability that its next task and payment go well. Ask before ' +
    'you work with, pay or hand data to another agent. An unknown agent is an answer, not an error. ' +
    'Needs no key. Costs one lookup.',
  input: z.strictObject({ agent: AgentName }),
  output: Found.extend({ summary: Summary }),
  isReadOnly: true,
  async run({ agent }, context) {
    const [found] = await findAgents(context, [agent])
    if (found === undefined) {
      throw new Error('one was asked')
    }
    return { ...found, summary: sentenceOf(found) }
  },
})
