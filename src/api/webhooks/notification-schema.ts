import type { NotificationType } from '../../domain/notification.ts'
import { TEST_TYPE } from '../../domain/notification.ts'
import type { NotificationSpec } from '../../http/openapi.ts'
import { z } from '../../http/schema.ts'
import { AgentStatusName } from '../agents/schema.ts'
import { ClassificationName, EventTypeName } from '../scores/schema.ts'
import { Id, Time } from '../wire.ts'

const AgentId = Id.openapi({ description: 'The agent it is about.' })
const Points = z.int().min(0).max(1000)
const Reason = z.string().openapi({ example: 'The task’s customer confirmed it.' })

const Move = {
  agentId: AgentId,
  previousScore: Points.openapi({ example: 512 }),
  newScore: Points.openapi({ example: 519 }),
  classification: ClassificationName.openapi({ example: 'fair' }),
  triggeredBy: z
    .object({ kind: z.enum(['event', 'review']), id: Id, type: EventTypeName })
    .openapi({ description: 'The event that moved it, or whose review did.' }),
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

/** What is told, in the order in which it is listed, with the `data` of each. */
const DATA: Readonly<
  Record<NotificationType | typeof TEST_TYPE, readonly [when: string, data: z.ZodType]>
> = {
  'score.changed': ['A score moved.', z.object(Move)],
  'score.tier_changed': [
    'A score moved into another classification.',
    z.object({
      ...Move,
      previousClassification: ClassificationName.openapi({ example: 'poor' }),
    }),
  ],
  'event.ingested': ['An event was taken in.', Ingested],
  'event.quarantined': ['An event was held for review.', Ingested],
  'event.reviewed': [
    'The operator decided on a held event.',
    z.object({
      agentId: AgentId,
      eventId: Id,
      type: EventTypeName,
      decision: z.enum(['released', 'upheld']),
      reason: Reason,
    }),
  ],
  'credential.issued': [
    'An agent got a credential.',
    z.object({
      agentId: AgentId,
      credentialId: Id,
      type: CredentialType,
      expiresAt: Time.nullable(),
    }),
  ],
  'credential.revoked': [
    'An agent lost a credential.',
    z.object({
      agentId: AgentId,
      credentialId: Id,
      type: CredentialType,
      reason: Reason.nullable(),
      revokedAt: Time.nullable(),
    }),
  ],
  'agent.status_changed': [
    'An agent was suspended, resumed or deactivated.',
    z.object({
      agentId: AgentId,
      previousStatus: AgentStatusName,
      status: AgentStatusName.openapi({ example: 'suspended' }),
      reason: Reason.nullable(),
    }),
  ],
  [TEST_TYPE]: [
    'You asked for a test; nobody subscribes to it.',
    z.object({ webhookId: Id.openapi({ description: 'The subscription that is tried.' }) }),
  ],
}

/** Every notice, as it is posted to a receiver. */
export const NOTIFICATIONS: readonly NotificationSpec[] = Object.entries(DATA).map(
  ([type, [when, data]]) => ({
    type,
    when,
    schema: z.object({
      id: z.string().openapi({
        description: 'The `webhook-id`: the same each time this is sent.',
        example: 'evt_01931b667d507c63b6f23f1a2b3c4d5e',
      }),
      type: z.literal(type).openapi({ example: type }),
      timestamp: Time,
      data,
    }),
  }),
)
