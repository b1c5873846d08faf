import { command } from '../command.ts'
import { LIMIT_OPTION, PLATFORM_OPTIONS } from '../options.ts'

export const TEST_OPTIONS = [
  { name: 'file', value: 'FILE', help: 'test the policy of this JSON file, and store nothing' },
  { name: 'from', value: 'TIME', help: 'earliest time (default 90 days ago)' },
  { name: 'to', value: 'TIME', help: 'latest time (default now)' },
  ...PLATFORM_OPTIONS,
] as const

export const DECISION_OPTIONS = [LIMIT_OPTION, ...PLATFORM_OPTIONS] as const

export const ASK_OPTIONS = [
  { name: 'action', value: 'NAME', help: 'what the deal is; names a stored policy' },
  { name: 'amount', value: 'AMOUNT', help: 'the amount at risk' },
  { name: 'currency', value: 'CODE', help: 'its currency (default USD)' },
  { name: 'policy', value: 'NAME', help: 'decide by this stored policy' },
  ...PLATFORM_OPTIONS,
] as const

const handlers = () => import('../commands/policies.ts')

export const POLICIES = [
  command({
    name: 'policy list',
    operands: [],
    summary: 'List the policies of a platform',
    options: PLATFORM_OPTIONS,
    json: 'a Policy a line',
    example: 'standing policy list --key avp_…',
    load: async () => (await handlers()).list,
  }),
  command({
    name: 'policy set',
    operands: ['NAME', 'FILE'],
    summary: 'Store a policy from a JSON file under a name',
    options: PLATFORM_OPTIONS,
    json: 'the Policy',
    example: 'standing policy set purchases policy.json',
    load: async () => (await handlers()).set,
  }),
  command({
    name: 'policy delete',
    operands: ['NAME'],
    summary: 'Delete a policy',
    options: PLATFORM_OPTIONS,
    json: '{ name, deleted }',
    example: 'standing policy delete purchases',
    load: async () => (await handlers()).remove,
  }),
  command({
    name: 'policy test',
    operands: ['NAME'],
    summary:
      'Show what a policy would have decided on the platform’s own history, and how those deals ended',
    options: TEST_OPTIONS,
    json: 'a BacktestResult',
    example: 'standing policy test purchases --file policy.json',
    load: async () => (await handlers()).test,
  }),
  command({
    name: 'decision ask',
    operands: ['AGENT'],
    summary: 'Decide whether to deal with an agent, by its id or a name that it has proven',
    details: 'The exit code is 0 for allow, and 1 for review and deny.',
    options: ASK_OPTIONS,
    json: 'a Decision',
    example: 'standing decision ask did:web:agent.example.com --amount 120 --policy purchases',
    load: async () => (await handlers()).ask,
  }),
  command({
    name: 'decision list',
    operands: [],
    summary: 'List the latest decisions that a platform requested',
    options: DECISION_OPTIONS,
    json: 'a PastDecision a line',
    example: 'standing decision list --limit 20 --key avp_…',
    load: async () => (await handlers()).decisions,
  }),
]
