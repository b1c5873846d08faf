import { z } from '../../http/schema.ts'
import { KeyFields } from '../key-records.ts'
import { listOf, PageQuery } from '../paging.ts'
import { AgentStatusName, ApiKey, GivenName, Id, jsonObject, ModeName, Time } from '../wire.ts'

/** 16 KiB of JSON text: enough for tags and links, too little for documents. */
const METADATA_BYTES_MAX = 16 * 1024

const DisplayName = GivenName.openapi({ example: 'invoice-reconciler' })

const Metadata = jsonObject(METADATA_BYTES_MAX).openapi({
  type: 'object',
  additionalProperties: true,
  example: { team: 'finance' },
})

const PublicProfile = z.boolean().openapi({
  description: 'Whether anyone may see the profile of the agent. Off for a new agent.',
  example: true,
})

export const RegisterAgentBody = z
  .strictObject({
    displayName: DisplayName,
    metadata: Metadata.default({}),
    parentId: Id.nullable()
      .default(null)
      .openapi({
        description:
          'An active agent of the account that the new agent acts for. The new agent never scores higher ' +
          'than that one, and what platforms find bad of it counts for that one as well.',
      }),
  })
  .openapi('RegisterAgent', {
    example: { displayName: 'invoice-reconciler', metadata: { team: 'finance' } },
  })

export const UpdateAgentBody = z
  .strictObject({
    displayName: DisplayName.optional(),
    metadata: Metadata.optional(),
    publicProfile: PublicProfile.optional(),
  })
  .openapi('UpdateAgent')

const PublicFields = {
  id: Id,
  displayName: z.string().openapi({ example: 'invoice-reconciler' }),
  status: AgentStatusName,
  parentId: Id.nullable().openapi({
    description: 'The agent that it acts for; null for an agent that acts for its owner alone.',
    example: null,
  }),
  createdAt: Time,
}

export const PublicAgent = z.object(PublicFields).openapi('PublicAgent')

export const Agent = z
  .object({
    ...PublicFields,
    ownerId: Id,
    metadata: z.record(z.string(), z.unknown()).openapi({ example: { team: 'finance' } }),
    publicProfile: PublicProfile,
    predecessorId: Id.nullable().openapi({
      description: 'The agent that it replaced; null for an agent that began without a past.',
      example: null,
    }),
    successorId: Id.nullable().openapi({
      description: 'The agent that replaced it.',
      example: null,
    }),
    mode: ModeName,
    ...KeyFields,
    updatedAt: Time,
  })
  .openapi('Agent')

const AgentKey = ApiKey.openapi({ example: 'avs_0123456789ABCDEFGHIJKLMNOPQRSTUV0abcde' })

export const SuccessorBody = z
  .strictObject({ displayName: DisplayName.optional(), metadata: Metadata.optional() })
  .optional()
  .openapi('RegisterSuccessor')

export const AgentWithKey = Agent.extend({ apiKey: AgentKey }).openapi('AgentWithKey')

export const RotatedKey = z
  .object({
    apiKey: AgentKey,
    previousKeyExpiresAt: Time.openapi({
      description: 'The previous key keeps working until then.',
      example: '2026-06-15T12:00:00.000Z',
    }),
  })
  .openapi('RotatedKey')

export const RotateKeyBody = z
  .strictObject({
    overlapSeconds: z
      .int()
      .min(0)
      .max(7 * 86_400)
      .optional()
      .openapi({
        description: 'How long the previous key keeps working. Defaults to 3600 (one hour).',
        example: 3600,
      }),
  })
  .optional()
  .openapi('RotateKey')

export const AgentsQuery = PageQuery.extend({
  parentId: Id.optional().openapi({ description: 'Only agents that act for this one.' }),
})

export const AgentList = listOf(Agent, 'AgentList')
