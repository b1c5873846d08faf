import { z } from 'zod'
import type { CallerKind } from '../../domain/caller.ts'
import { AgentName, ReportedTypeName, Summary } from '../schemas.ts'
import { defineTool, ToolRefusal } from '../tool.ts'
import { EventShown, eventsPath } from './events.ts'

const DATA =
  'All fields are optional. task.*: duration (ms), success, errorCode, difficulty (1 to 3), taskClass, ' +
  'counterparty. payment.*: amount, currency (ISO 4217), daysLate, counterparty. uptime.report: uptimePercentage, ' +
  'responseTimeMs. error.reported: errorType, severity (low, medium, high, critical). credential.*: ' +
  'credentialId, credentialType.'

export const reportEvent = defineTool({
  name: 'report_event',
  title: 'Report what an agent did',
  description:
    'Reports one event, which changes the score of the agent and cannot be taken back. Needs a key: ' +
    'an agent reports about itself at a tenth of the weight, a platform about any agent. Send an ' +
    'externalId so that a repeated call counts once. A suspicious event is accepted and quarantined for review.',
  input: z.strictObject({
    agent: AgentName.optional().describe(
      'The agent, as for check_trust. May be left out with an agent’s key.',
    ),
    type: ReportedTypeName,
    data: z.record(z.string(), z.unknown()).optional().describe(DATA),
    occurredAt: z
      .string()
      .optional()
      .describe('RFC 3339; at most 30 days back. Defaults to the time of receipt.'),
    externalId: z.string().min(1).max(100).optional().describe('Your own id of the event.'),
  }),
  output: z.object({ event: EventShown, summary: Summary }),
  isReadOnly: false,
  async run({ agent, ...body }, context) {
    checkReporter(context.callerKind)
    const path = await eventsPath(context, agent)
    const event = EventShown.parse(await context.call({ method: 'POST', path, body }))
    return { event, summary: summaryOf(event) }
  },
})

/** The API has an operation for either kind of key, so its refusal would name one of them. */
function checkReporter(kind: CallerKind): void {
  if (kind !== 'agent' && kind !== 'platform') {
    throw new ToolRefusal(
      kind === 'anonymous' ? 'AUTHENTICATION_REQUIRED' : 'FORBIDDEN',
      'this needs an agent’s key (avs_…), to report about that agent, or a platform’s (avp_…), to report about any',
    )
  }
}

function summaryOf({ type, isQuarantined, quarantineReason, weight }: z.output<typeof EventShown>) {
  return isQuarantined
    ? `${type} was accepted and is quarantined, so it does not count yet: ${quarantineReason}.`
    : `${type} was accepted and counts with weight ${weight}.`
}
