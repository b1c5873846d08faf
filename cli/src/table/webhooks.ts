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
    name: 'webhook listen',
    operands: [],
    summary: 'Show notifications as they happen, and forward them, signed, to this machine',
    details: 'If the service is unavailable, the command waits and then continues.',
    options: LISTEN_OPTIONS,
    json: 'a Notification a line',
    example: 'standing webhook listen --forward-to http://localhost:3000/hooks',
    load: async () => (await handlers()).listen,
  }),
  command({
    name: 'webhook create',
    operands: ['URL'],
    summary: 'Subscribe an address to notifications and print the secret, once',
    options: CREATE_OPTIONS,
    json: 'a WebhookWithSecret',
    example: 'standing webhook create https://example.com/hooks --events score.changed',
    load: async () => (await handlers()).create,
  }),
  command({
    name: 'webhook list',
    operands: [],
    summary: 'List the subscriptions',
    options: OWNER_OPTIONS,
    json: 'a Webhook a line',
    example: 'standing webhook list',
    load: async () => (await handlers()).list,
  }),
  command({
    name: 'webhook test',
    operands: ['ID'],
    summary: 'Send a webhook.test to a subscription',
    options: OWNER_OPTIONS,
    json: 'a WebhookDelivery',
    example: `standing webhook test ${EXAMPLE_ID}`,
    load: async () => (await handlers()).test,
  }),
  command({
    name: 'webhook deliveries',
    operands: ['ID'],
    summary: 'List the deliveries to a subscription, with their results',
    options: DELIVERIES_OPTIONS,
    json: 'a WebhookDelivery a line',
    example: `standing webhook deliveries ${EXAMPLE_ID} --limit 10`,
    load: async () => (await handlers()).deliveries,
  }),
  command({
    name: 'webhook delete',
    operands: ['ID'],
    summary: 'End a subscription',
    options: OWNER_OPTIONS,
    json: '{ id, deleted }',
    example: `standing webhook delete ${EXAMPLE_ID}`,
    load: async () => (await handlers()).remove,
  }),
]
