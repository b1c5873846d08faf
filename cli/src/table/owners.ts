import { command } from '../command.ts'
import { LIMIT_OPTION, OPERATOR_OPTIONS, YES_OPTION } from '../options.ts'

export const LIST_OPTIONS = [
  { name: 'email', value: 'EMAIL', help: 'only the owner with this e-mail address' },
  LIMIT_OPTION,
  ...OPERATOR_OPTIONS,
] as const

export const STATUS_OPTIONS = [
  { name: 'reason', value: 'TEXT', help: 'kept in the audit log' },
  ...OPERATOR_OPTIONS,
] as const

export const ERASE_OPTIONS = [YES_OPTION, ...OPERATOR_OPTIONS] as const

const handlers = () => import('../commands/owners.ts')

export const OWNERS = [
  command({
    name: 'owner list',
    operands: [],
    summary: 'List the owners with their tiers',
    options: LIST_OPTIONS,
    json: 'a ManagedOwner a line',
    example: 'standing owner list --limit 20',
    load: async () => (await handlers()).list,
  }),
  command({
    name: 'owner set-tier',
    operands: ['EMAIL|ID', 'TIER'],
    summary: 'Move an owner to another tier: free, growth or platform',
    options: OPERATOR_OPTIONS,
    json: 'the ManagedOwner',
    example: 'standing owner set-tier ada@example.com growth',
    load: async () => (await handlers()).setTier,
  }),
  command({
    name: 'owner invite',
    operands: ['EMAIL'],
    summary: 'Invite a person to open an account, by mail or by a link to pass on',
    options: OPERATOR_OPTIONS,
    json: 'an InvitationWithLink',
    example: 'standing owner invite ada@example.com',
    load: async () => (await handlers()).invite,
  }),
  command({
    name: 'owner reset-link',
    operands: ['EMAIL'],
    summary: 'Print a link by which a person sets a new password',
    options: OPERATOR_OPTIONS,
    json: 'a ResetLink',
    example: 'standing owner reset-link ada@example.com',
    load: async () => (await handlers()).resetLink,
  }),
  command({
    name: 'owner suspend',
    operands: ['EMAIL|ID'],
    summary: 'Suspend an account: all credentials of it and of its agents stop working',
    options: STATUS_OPTIONS,
    json: 'the ManagedOwner',
    example: 'standing owner suspend ada@example.com --reason "key found in public"',
    load: async () => (await handlers()).suspend,
  }),
  command({
    name: 'owner activate',
    operands: ['EMAIL|ID'],
    summary: 'End the suspension of an account',
    options: STATUS_OPTIONS,
    json: 'the ManagedOwner',
    example: 'standing owner activate ada@example.com',
    load: async () => (await handlers()).activate,
  }),
  command({
    name: 'owner export',
    operands: ['EMAIL|ID'],
    summary: 'Write everything about an account and its agents, as JSON lines',
    options: OPERATOR_OPTIONS,
    json: 'the same JSON lines as without it',
    example: 'standing owner export ada@example.com > ada.jsonl',
    load: async () => (await import('../commands/export.ts')).exportOwner,
  }),
  command({
    name: 'owner erase',
    operands: ['EMAIL'],
    summary: 'Erase the personal data of an account and its agents permanently',
    details:
      'Names, e-mails, metadata, claims, webhook addresses and free text are erased. Scores stay.',
    options: ERASE_OPTIONS,
    json: 'the finished Erasure',
    example: 'standing owner erase ada@example.com --yes',
    load: async () => (await import('../commands/erase.ts')).eraseOwner,
  }),
]
