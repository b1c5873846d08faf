import { z } from 'zod'
import { AgentName, EventTypeName } from '../schemas.ts'
import { defineTool } from '../tool.ts'
import { EventShown, eventsPath } from './events.ts'

/** Fewer than the API's fifty: every event takes room in the context of a model. */
const LIMIT_DEFAULT = 20
const LIMIT_MAX = 100

const Page = z.object({ data: z.array(EventShown), nextCursor: z.string().nullable() })

export const listEvents = defineTool({
  name: 'list_events',
  title: 'List the events about an agent',
  description:
    'Events about an agent, newest first, quarantined ones included. Needs a key: an agent reads its ' +
    'own, an owner those of its agents, a platform those that it reported.',
  input: z.strictObject({
    agent: AgentName.optional().describe(
      'The agent, as for check_trust. May be left out with an agent’s key.',
    ),
    type: EventTypeName.optional(),
    from: z.string().optional().describe('RFC 3339, inclusive, by the time of the event.'),
    to: z.string().optional().describe('RFC 3339, inclusive.'),
    limit: z.int().min(1).max(LIMIT_MAX).default(LIMIT_DEFAULT),
    cursor: z.string().optional().describe('nextCursor of the page before.'),
  }),
  output: z.object({ events: z.array(EventShown), nextCursor: z.string().nullable() }),
  isReadOnly: true,
  async run({ agent, limit, ...filters }, context) {
    const path = await eventsPath(context, agent)
    const query = { ...filters, limit: String(limit) }
    const { data, nextCursor } = Page.parse(await context.call({ method: 'GET', path, query }))
    return { events: data, nextCursor }
  },
})
