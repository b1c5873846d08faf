import { command } from '../command.ts'
import {
  CALLER_OPTIONS,
  EXAMPLE_ID,
  LIMIT_OPTION,
  OPERATOR_OPTIONS,
  OVERLAP_OPTION,
  OWNER_OPTIONS,
  REASON_OPTION,
  YES_OPTION,
} from '../options.ts'
import { ERASE_OPTIONS } from './owners.ts'

const METADATA_OPTION = {
  name: 'metadata',
  value: 'JSON',
  help: 'an object of your own, at most 16 KiB',
} as const

const PARENT_OPTION = { name: 'parent', value: 'ID' } as const

export const CREATE_OPTIONS = [
  METADATA_OPTION,
  { ...PARENT_OPTION, help: 'the agent that it acts for: it never scores higher than that one' },
  ...OWNER_OPTIONS,
] as const

export const LIST_OPTIONS = [
  { ...PARENT_OPTION, help: 'only agents that act for this one' },
  LIMIT_OPTION,
  ...OWNER_OPTIONS,
] as const

export const UPDATE_OPTIONS = [
  { name: 'name', value: 'NAME', help: 'another display name' },
  METADATA_OPTION,
  ...OWNER_OPTIONS,
] as const

export const REPLACE_OPTIONS = [
  { name: 'name', value: 'NAME', help: 'its display name (default that of the old agent)' },
  YES_OPTION,
  ...OWNER_OPTIONS,
] as const

export const ROTATE_OPTIONS = [OVERLAP_OPTION, ...OWNER_OPTIONS] as const

export const DEACTIVATE_OPTIONS = [YES_OPTION, ...OWNER_OPTIONS] as const

export const STATUS_OPTIONS = [REASON_OPTION, ...OPERATOR_OPTIONS] as const

const handlers = () => import('../commands/agents.ts')

export const AGENTS = [
  command({
    name: 'agent create',
    operands: ['NAME'],
    summary: 'Register an agent and print its key, once',
    options: CREATE_OPTIONS,
    json: 'an AgentWithKey',
    example: 'standing agent create invoice-reconciler',
    load: async () => (await handlers()).create,
  }),
  command({
    name: 'agent list',
    operands: [],
    summary: 'List the agents of your account',
    options: LIST_OPTIONS,
    json: 'an Agent a line',
    example: 'standing agent list',
    load: async () => (await handlers()).list,
  }),
  command({
    name: 'agent get',
    operands: ['[ID]'],
    summary: 'Show an agent; without an id, the agent of the key',
    options: CALLER_OPTIONS,
    json: 'an Agent, or its public part',
    example: `standing agent get ${EXAMPLE_ID}`,
    load: async () => (await handlers()).get,
  }),
  command({
    name: 'agent update',
    operands: ['ID'],
    summary: 'Change the name of an agent, or replace its metadata',
    options: UPDATE_OPTIONS,
    json: 'the Agent',
    example: `standing agent update ${EXAMPLE_ID} --name invoice-reconciler-2`,
    load: async () => (await handlers()).update,
  }),
  command({
    name: 'agent replace',
    operands: ['ID'],
    summary: 'Replace an agent by a new one that carries its record, and print its key, once',
    details:
      'The old agent is deactivated. The new one begins with all that was reported of it, with half of\n' +
      'its tenure and without its credentials.',
    options: REPLACE_OPTIONS,
    json: 'an AgentWithKey',
    example: `standing agent replace ${EXAMPLE_ID} --yes`,
    load: async () => (await handlers()).replace,
  }),
  command({
    name: 'agent rotate',
    operands: ['ID'],
    summary: 'Print a new key for an agent; the previous one is valid for another hour',
    options: ROTATE_OPTIONS,
    json: 'a RotatedKey',
    example: `standing agent rotate ${EXAMPLE_ID}`,
    load: async () => (await handlers()).rotate,
  }),
  command({
    name: 'agent deactivate',
    operands: ['ID'],
    summary:
      'Deactivate an agent permanently; its key stops working and its credentials are revoked',
    options: DEACTIVATE_OPTIONS,
    json: 'the Agent',
    example: `standing agent deactivate ${EXAMPLE_ID} --yes`,
    load: async () => (await handlers()).deactivate,
  }),
  command({
    name: 'agent suspend',
    operands: ['ID'],
    summary: 'Suspend an agent, as the operator',
    options: STATUS_OPTIONS,
    json: 'the Agent',
    example: `standing agent suspend ${EXAMPLE_ID} --reason "fraud is being looked into"`,
    load: async () => (await handlers()).suspend,
  }),
  command({
    name: 'agent activate',
    operands: ['ID'],
    summary: 'End the suspension of an agent, as the operator',
    options: STATUS_OPTIONS,
    json: 'the Agent',
    example: `standing agent activate ${EXAMPLE_ID} --reason "cleared"`,
    load: async () => (await handlers()).activate,
  }),
  command({
    name: 'agent export',
    operands: ['ID'],
    summary: 'Write everything about an agent, as JSON lines',
    options: OPERATOR_OPTIONS,
    json: 'the same JSON lines as without it',
    example: `standing agent export ${EXAMPLE_ID} > agent.jsonl`,
    load: async () => (await import('../commands/export.ts')).exportAgent,
  }),
  command({
    name: 'agent erase',
    operands: ['ID'],
    summary: 'Deactivate an agent permanently and erase its personal data',
    options: ERASE_OPTIONS,
    json: 'the finished Erasure',
    example: `standing agent erase ${EXAMPLE_ID} --yes`,
    load: async () => (await import('../commands/erase.ts')).eraseAgent,
  }),
]
