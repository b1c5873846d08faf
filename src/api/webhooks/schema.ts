import { NOTIFICATION_TYPES } from '../../domain/notification.ts'
import { z } from '../../http/schema.ts'
import { WEBHOOK_FORMATS } from '../../store/webhooks.ts'
import { listOf } from '../paging.ts'
import { EXAMPLE_ID, Id, ModeName, Time } from '../wire.ts'

const FILTERS = [...NOTIFICATION_TYPES, '*'] as const

const Filter = z.enum(FILTERS)

export const Events = z
  .array(Filter)
  .min(1, 'must name at least one type, or *')
  .max(FILTERS.length)
  .openapi({
    description: 'The notification types to deliver; `*` means all.',
    example: ['score.changed'],
  })

/** A receiver that needs more agents than this takes all and filters on its side. */
const AGENT_IDS_MAX = 100

export const AgentIds = z
  .array(Id)
  .min(1, 'must name at least one agent; leave it out for all of them')
  .max(AGENT_IDS_MAX)
  .nullish()
  .openapi({
    example: [EXAMPLE_ID],
    description:
      'Only notifications about these agents. Defaults to all agents of the account, and all it watches.',
  })

const URL_EXAMPLE = 'https://example.com/hooks/standing'

const Url = z.string().min(1).openapi({
  description: 'The URL to post to: https, on a public host. For mails `mailto:` and the address.',
  example: URL_EXAMPLE,
})

const DESCRIPTION = { example: 'Posts score changes to the team chat.' }

const Description = z.string().trim().max(200).openapi(DESCRIPTION)

const FormatName = z.enum(WEBHOOK_FORMATS)

const Format = FormatName.default('standard').openapi({
  description:
    '`standard`: signed JSON. `slack`, `teams`, `discord`: a message for an incoming webhook of that ' +
    'chat. `mail`: a mail to the confirmed address of a member, with `url` `mailto:…`.',
  example: 'standard',
})

export const CreateWebhookBody = z
  .strictObject({
    url: Url,
    events: Events,
    format: Format,
    description: Description.nullish(),
    agentIds: AgentIds,
  })
  .openapi('CreateWebhook')

export const UpdateWebhookBody = z
  .strictObject({
    url: Url.optional(),
    events: Events.optional(),
    description: Description.nullish(),
    agentIds: AgentIds,
    status: z
      .enum(['active', 'disabled'])
      .optional()
      .openapi({ description: '`active` resumes a paused or disabled subscription.' }),
  })
  .openapi('UpdateWebhook')

export const Webhook = z
  .object({
    id: Id,
    mode: ModeName,
    url: z.string().openapi({ example: URL_EXAMPLE }),
    events: z.array(z.enum(FILTERS)),
    agentIds: z.array(Id).nullable().openapi({ example: null }),
    format: FormatName,
    description: z.string().nullable().openapi(DESCRIPTION),
    status: z.enum(['active', 'paused', 'disabled']).openapi({
      description:
        '`paused` after five consecutive failures: deliveries wait, with one attempt an hour. ' +
        '`disabled` after ten, or when the receiver responds 410.',
    }),
    statusReason: z.enum(['failing', 'gone']).nullable().openapi({ example: null }),
    statusChangedAt: Time.nullable().openapi({ example: null }),
    consecutiveFailures: z.int(),
    createdAt: Time,
    updatedAt: Time,
  })
  .openapi('Webhook')

const Secret = z.string().openapi({
  description: 'Returned only here. Notifications are signed with it (Standard Webhooks 1.0.0).',
  example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
})

export const WebhookWithSecret = Webhook.extend({ secret: Secret }).openapi('WebhookWithSecret')

export const RotatedSecret = z
  .object({
    secret: Secret,
    previousSecretExpiresAt: Time.openapi({
      description: 'Until then every notification is signed with the previous secret as well.',
    }),
  })
  .openapi('RotatedSecret')

export const WebhookList = listOf(Webhook, 'WebhookList')
