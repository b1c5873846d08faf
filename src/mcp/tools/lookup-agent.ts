import { z } from 'zod'
import { findAgents } from '../find.ts'
import { AgentName, Found } from '../schemas.ts'
import { defineTool } from '../tool.ts'

/** The limit of the API. */
const NAMES_MAX = 100

export const lookupAgent = defineTool({
  name: 'lookup_agent',
  title: 'Find agents by name',
  description:
    'Finds agents and their scores by names under which they are known elsewhere: domains, DIDs, A2A ' +
    'agent cards, MCP servers, accounts. Only a proven name leads to an agent. Answers in the order ' +
    'asked. Needs no key. Costs one lookup for each name.',
  input: z.strictObject({ names: z.array(AgentName).min(1).max(NAMES_MAX) }),
  output: z.object({ results: z.array(Found) }),
  isReadOnly: true,
  run: async ({ names }, context) => ({ results: [...(await findAgents(context, names))] }),
})
