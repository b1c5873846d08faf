import { command } from '../command.ts'
import { LIMIT_OPTION, OWNER_OPTIONS } from '../options.ts'

export const OFFER_OPTIONS = [
  { name: 'to', value: 'OWNER', help: 'the id of the other owner, or the e-mail; required' },
  ...OWNER_OPTIONS,
] as const

export const LIST_OPTIONS = [LIMIT_OPTION, ...OWNER_OPTIONS] as const

const ID = '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'

const handlers = () => import('../commands/transfers.ts')

export const TRANSFERS = [
  command({
    name: 'agent transfer',
    operands: ['ID'],
    summary: 'Offer an agent to another owner; it is transferred when that owner accepts',
    options: OFFER_OPTIONS,
    json: 'a Transfer',
    example: `standing agent transfer ${ID} --to grace@example.com`,
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
    example: `standing transfer accept ${ID}`,
    load: async () => (await handlers()).accept,
  }),
  command({
    name: 'transfer decline',
    operands: ['ID'],
    summary: 'Decline an agent that was offered to your account',
    options: OWNER_OPTIONS,
    json: 'the Transfer',
    example: `standing transfer decline ${ID}`,
    load: async () => (await handlers()).decline,
  }),
  command({
    name: 'transfer withdraw',
    operands: ['ID'],
    summary: 'Withdraw an offer of your account',
    options: OWNER_OPTIONS,
    json: 'the Transfer',
    example: `standing transfer withdraw ${ID}`,
    load: async () => (await handlers()).withdraw,
  }),
]
