import type { NotificationType } from '../../domain/notification.ts'
import { TEST_TYPE } from '../../domain/notification.ts'
import type { NotificationSpec } from '../../http/openapi.ts'
import { z } from '../../http/schema.ts'
import { IdentifierName, IdentifierProblem } from '../identifiers/schema.ts'
import { ClassificationName, Disputed, EventTypeName, ExposureLimit } from '../scores/schema.ts'
import { AgentStatusName, Id, Points, Time } from '../wire.ts'
import { NotificationId, NotificationMode } from './delivery-schema.ts'

const AgentId = Id.openapi({ description: 'The agent that the notification is about.' })
const Reason = z.string().openapi({ example: 'The task’s customer confirmed it.' })

const ScoreChange = {
  agentId: AgentId,
  previousScore: Points.openapi({ example: 512 }),
  newScore: Points.openapi({ example: 519 }),
  classification: ClassificationName.openapi({ example: 'fair' }),
  disputed: Disputed,
  exposureLimit: ExposureLimit,
  triggeredBy: z
    .object({ kind: z.enum(['event', 'review', 'model']), id: Id, type: EventTypeName })
    .openapi({
      description:
        'What changed the score: an event, the review of an event, or a new scoring model (with the last ' +
        'event that counted before it).',
    }),
}

const Ingested = z.object({
  agentId: AgentId,
  eventId: Id,
  type: EventTypeName,
  isSelfReported: z.boolean().openapi({ example: false }),
  isQuarantined: z.boolean().openapi({ example: false }),
  fraudFlags: z.array(z.string()).openapi({ example: [] }),
  quarantineReason: z.string().nullable().openapi({ example: null }),
})

const CredentialType = z.string().openapi({ example: 'Audit' })

const IdentifierChange = z.object({
  agentId: AgentId,
  identifierId: Id,
  ...IdentifierName,
  problem: IdentifierProblem,
})

/** The notification types in the order listed, with the `data` of each. */
const DATA: Readonly<
  Record<NotificationType | typeof TEST_TYPE, readonly [when: string, data: z.ZodType]>
> = {
  'score.changed': [
    'A score changed, or it came to be disputed or undisputed.',
    z.object(ScoreChange),
  ],
  'score.tier_changed': [
    'A score changed to another classification.',
    z.object({
      ...ScoreChange,
      previousClassification: ClassificationName.openapi({ example: 'poor' }),
    }),
  ],
  'event.ingested': ['An event was accepted.', Ingested],
  'event.quarantined': ['An event was quarantined for review.', Ingested],
  'event.reviewed': [
    'The operator released or upheld a quarantined event.',
    z.object({
      agentId: AgentId,
      eventId: Id,
      type: EventTypeName,
      decision: z.enum(['released', 'upheld']),
      reason: Reason,
    }),
  ],
  'credential.issued': [
    'A credential was issued to an agent.',
    z.object({
      agentId: AgentId,
      credentialId: Id,
      type: CredentialType,
      expiresAt: Time.nullable(),
    }),
  ],
  'credential.revoked': [
    'A credential of an agent was revoked.',
    z.object({
      agentId: AgentId,
      credentialId: Id,
      type: CredentialType,
      reason: Reason.nullable(),
      revokedAt: Time.nullable(),
    }),
  ],
  'agent.status_changed': [
    'An agent was suspended, reactivated or deactivated.',
    z.object({
      agentId: AgentId,
      previousStatus: AgentStatusName,
      status: AgentStatusName.openapi({ example: 'suspended' }),
      reason: Reason.nullable(),
    }),
  ],
  'agent.transferred': [
    'An agent passed to another owner. Its former owner and its new one are notified; those who watch it ' +
      'get the id of the agent alone.',
    z.object({
      agentId: AgentId,
      transferId: Id.optional(),
      fromOwnerId: Id.optional(),
      toOwnerId: Id.optional(),
      direction: z.enum(['in', 'out']).optional().openapi({
        description: '`in` for the new owner, `out` for the former one.',
        example: 'in',
      }),
    }),
  ],
  'identifier.verified': ['An identifier of an agent was verified.', IdentifierChange],
  'identifier.failing': [
    'The proof of a verified identifier was not found; the identifier lapses unless it is restored.',
    IdentifierChange,
  ],
  'identifier.lapsed': [
    'An identifier is no longer verified: its proof is gone, another agent has proven it, or the agent ' +
      'passed to another owner.',
    IdentifierChange,
  ],
  [TEST_TYPE]: [
    'A test was requested. It is sent to a subscription with any types.',
    z.object({ webhookId: Id.openapi({ description: 'The subscription that is tested.' }) }),
  ],
}

/** Every notification type, as posted to a receiver. */
export const NOTIFICATIONS: readonly NotificationSpec[] = Object.entries(DATA).map(
  ([type, [when, data]]) => ({
    type,
    when,
    schema: z.object({
      id: NotificationId.openapi({
        description: 'The `webhook-id`: the same in every attempt.',
      }),
      type: z.literal(type).openapi({ example: type }),
      mode: NotificationMode,
      timestamp: Time,
      data,
    }),
  }),
)
