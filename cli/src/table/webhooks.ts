import { FORMATS } from '../choices.ts'
import { command } from '../command.ts'
import { EXAMPLE_ID, LIMIT_OPTION, OWNER_OPTIONS } from '../options.ts'

const EVENTS_OPTION = {
  name: 'events',
  value: 'LIST',
  help: 'types: score.changed,event.ingested,… (default all)',
} as const

export const LISTEN_OPTIONS = [
  { name: 'forward-to', value: 'URL', help: 'post each notification there' },
  EVENTS_OPTION,
  { name: 'agents', value: 'LIST', help: 'ids of agents (default all of yours)' },
  { name: 'secret', value: 'whsec_…', help: 'secret to sign with (default a new one, printed)' },
  ...OWNER_OPTIONS,
] as const

export const CREATE_OPTIONS = [
  EVENTS_OPTION,
  { name: 'description', value: 'TEXT', help: 'a note for people' },
  {
    name: 'format',
    value: 'FORMAT',
    help: 'slack, teams, discord or mail, for sentences instead of JSON (default standard)',
    choices: FORMATS,
  },
  ...OWNER_OPTIONS,
] as const

export const DELIVERIES_OPTIONS = [LIMIT_OPTION, ...OWNER_OPTIONS] as const

const handlers = () => import('../commands/webhooks.ts')

export const WEBHOOKS = [
  command({
    name: 'webhooks listen',
    operands: [],
    summary: 'Show notifications as they happen, and forward them, signed, to this machine',
    details: 'If the service is unavailable, the command waits and then continues.',
    options: LISTEN_OPTIONS,
    json: 'a Notification a line',
    example: 'standing webhooks listen --forward-to http://localhost:3000/hooks',
    load: async () => (await handlers()).listen,
  }),
  command({
    name: 'webhooks create',
    operands: ['URL'],
    summary: 'Subscribe an address to notifications and print the secret, once',
    options: CREATE_OPTIONS,
    json: 'a WebhookWithSecret',
    example: 'standing webhooks create https://example.com/hooks --events score.changed',
    load: async () => (await handlers()).create,
  }),
  command({
    name: 'webhooks list',
    operands: [],
    summary: 'List the subscriptions',
    options: OWNER_OPTIONS,
    json: 'a Webhook a line',
    example: 'standing webhooks list',
    load: async () => (await handlers()).list,
  }),
  command({
    name: 'webhooks test',
    operands: ['ID'],
    summary: 'Send a webhook.test to a subscription',
    options: OWNER_OPTIONS,
    json: 'a WebhookDelivery',
    example: `standing webhooks test ${EXAMPLE_ID}`,
    load: async () => (await handlers()).test,
  }),
  command({
    name: 'webhooks deliveries',
    operands: ['ID'],
    summary: 'List the deliveries to a subscription, with their results',
    options: DELIVERIES_OPTIONS,
    json: 'a WebhookDelivery a line',
    example: `standing webhooks deliveries ${EXAMPLE_ID} --limit 10`,
    load: async () => (await handlers()).deliveries,
  }),
  command({
    name: 'webhooks delete',
    operands: ['ID'],
    summary: 'End a subscription',
    options: OWNER_OPTIONS,
    json: '{ id, deleted }',
    example: `standing webhooks delete ${EXAMPLE_ID}`,
    load: async () => (await handlers()).remove,
  }),
]
