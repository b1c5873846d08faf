import { command } from '../command.ts'
import { EXAMPLE_ID, LIMIT_OPTION, OWNER_OPTIONS } from '../options.ts'

export const OFFER_OPTIONS = [
  {
    name: 'to',
    value: 'OWNER',
    help: 'the id of the other owner, or the e-mail',
    isRequired: true,
  },
  ...OWNER_OPTIONS,
] as const

export const LIST_OPTIONS = [LIMIT_OPTION, ...OWNER_OPTIONS] as const

const handlers = () => import('../commands/transfers.ts')

export const TRANSFERS = [
  command({
    name: 'agent transfer',
    operands: ['ID'],
    summary: 'Offer an agent to another owner; it is transferred when that owner accepts',
    options: OFFER_OPTIONS,
    json: 'a Transfer',
    example: `standing agent transfer ${EXAMPLE_ID} --to grace@example.com`,
    load: async () => (await handlers()).offer,
  }),
  command({
    name: 'transfer list',
    operands: [],
    summary: 'List the offers that your account made or received',
    options: LIST_OPTIONS,
    json: 'a Transfer a line',
    example: 'standing transfer list',
    load: async () => (await handlers()).list,
  }),
  command({
    name: 'transfer accept',
    operands: ['ID'],
    summary: 'Accept an agent and print its new key, once',
    options: OWNER_OPTIONS,
    json: 'an AcceptedTransfer',
    example: `standing transfer accept ${EXAMPLE_ID}`,
    load: async () => (await handlers()).accept,
  }),
  command({
    name: 'transfer decline',
    operands: ['ID'],
    summary: 'Decline an agent that was offered to your account',
    options: OWNER_OPTIONS,
    json: 'the Transfer',
    example: `standing transfer decline ${EXAMPLE_ID}`,
    load: async () => (await handlers()).decline,
  }),
  command({
    name: 'transfer withdraw',
    operands: ['ID'],
    summary: 'Withdraw an offer of your account',
    options: OWNER_OPTIONS,
    json: 'the Transfer',
    example: `standing transfer withdraw ${EXAMPLE_ID}`,
    load: async () => (await handlers()).withdraw,
  }),
]
