import { TRANSFER_STATUSES } from '../../domain/transfer.ts'
import { z } from '../../http/schema.ts'
import { Agent } from '../agents/schema.ts'
import { Email } from '../owners/schema.ts'
import { listOf } from '../paging.ts'
import { Id, Time } from '../wire.ts'

export const TransferRecord = z
  .object({
    id: Id,
    agentId: Id,
    agentName: z.string().openapi({
      description: 'The display name of the agent, which the other owner cannot read otherwise.',
      example: 'invoice-reconciler',
    }),
    fromOwnerId: Id,
    fromOwnerName: z.string().nullable().openapi({
      description: 'The name of the account that made the offer, where it has one.',
      example: 'Ada Lovelace',
    }),
    toOwnerId: Id.nullable().openapi({
      description: 'Null while an offer to an e-mail is not accepted.',
    }),
    toOwnerEmail: z.string().nullable().openapi({
      description: 'The e-mail that the agent is offered to; removed when the offer ends.',
      format: 'email',
      example: 'grace@example.com',
    }),
    status: z.enum(TRANSFER_STATUSES),
    createdAt: Time,
    expiresAt: Time.openapi({ example: '2026-06-22T11:00:00.000Z' }),
    endedAt: Time.nullable(),
  })
  .openapi('Transfer')

export const TransferList = listOf(TransferRecord, 'TransferList')

export const OfferBody = z
  .strictObject({ toOwnerId: Id.optional(), toOwnerEmail: Email.optional() })
  .refine(
    ({ toOwnerId, toOwnerEmail }) => (toOwnerId === undefined) !== (toOwnerEmail === undefined),
    {
      message: 'give toOwnerId or toOwnerEmail',
    },
  )
  .openapi('OfferAgent', { example: { toOwnerEmail: 'grace@example.com' } })

export const AcceptedTransfer = z
  .object({
    transfer: TransferRecord,
    agent: Agent,
    apiKey: z.string().openapi({
      description: 'The only key of the agent from now on. Returned only here.',
      example: 'avs_0123456789ABCDEFGHIJKLMNOPQRSTUV0abcde',
    }),
  })
  .openapi('AcceptedTransfer')
