import { command } from '../command.ts'
import { CALLER_OPTIONS, EXAMPLE_ID, LIMIT_OPTION } from '../options.ts'

export const LIST_OPTIONS = [LIMIT_OPTION, ...CALLER_OPTIONS] as const

const handlers = () => import('../commands/watches.ts')

export const WATCHES = [
  command({
    name: 'watch add',
    operands: ['AGENT_ID'],
    summary: 'Let your webhooks get notifications about an agent of another account',
    details: 'For an owner or a platform. The notifications have what anyone may read.',
    options: CALLER_OPTIONS,
    json: 'the Watch',
    example: `standing watch add ${EXAMPLE_ID}`,
    load: async () => (await handlers()).add,
  }),
  command({
    name: 'watch list',
    operands: [],
    summary: 'List the agents of others that your account watches',
    options: LIST_OPTIONS,
    json: 'a Watch a line',
    example: 'standing watch list',
    load: async () => (await handlers()).list,
  }),
  command({
    name: 'watch remove',
    operands: ['AGENT_ID'],
    summary: 'Stop watching an agent',
    options: CALLER_OPTIONS,
    json: '{ agentId, removed }',
    example: `standing watch remove ${EXAMPLE_ID}`,
    load: async () => (await handlers()).remove,
  }),
]
