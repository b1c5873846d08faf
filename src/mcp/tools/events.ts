import { z } from 'zod'
import { IMPACTS } from '../../domain/event.ts'
import { agentIdOf } from '../find.ts'
import { EventTypeName } from '../schemas.ts'
import { type ToolContext, ToolRefusal } from '../tool.ts'

/** An event as tools show it. */
export const EventShown = z.object({
  id: z.string(),
  agentId: z.string(),
  type: EventTypeName,
  impact: z.enum(IMPACTS),
  data: z.record(z.string(), z.unknown()),
  occurredAt: z.string(),
  createdAt: z.string(),
  isSelfReported: z.boolean(),
  reporter: z.object({ kind: z.string(), id: z.string() }),
  externalId: z.string().nullable(),
  weight: z.number(),
  isQuarantined: z.boolean(),
  quarantineReason: z.string().nullable(),
})

/**
 * The path for events about an agent, by its id or a verified identifier: an agent's own where none is named. An
 * agent's key reports about that agent alone: with another one it is refused, not reported about itself.
 */
export async function eventsPath(context: ToolContext, agent: string | undefined): Promise<string> {
  const { call, callerKind } = context
  if (callerKind !== 'agent') {
    if (agent === undefined) {
      throw new ToolRefusal('VALIDATION_ERROR', 'agent is missing: only an agent’s key needs none')
    }
    return `/v1/agents/${await agentIdOf(context, agent)}/events`
  }
  if (agent !== undefined) {
    const { id } = Own.parse(await call({ method: 'GET', path: '/v1/agents/me' }))
    if (id !== (await agentIdOf(context, agent))) {
      throw new ToolRefusal('FORBIDDEN', `an agent’s key is for the events of that agent, ${id}`)
    }
  }
  return '/v1/events'
}

const Own = z.object({ id: z.string() })
