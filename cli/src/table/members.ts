import { ROLES } from '../choices.ts'
import { command } from '../command.ts'
import { ACCOUNT_OPTIONS, EXAMPLE_ID } from '../options.ts'

export const INVITE_OPTIONS = [
  {
    name: 'role',
    value: 'ROLE',
    help: 'admin, member or viewer (default member)',
    choices: ROLES,
  },
  ...ACCOUNT_OPTIONS,
] as const

const handlers = () => import('../commands/members.ts')

export const MEMBERS = [
  command({
    name: 'member invite',
    operands: ['EMAIL'],
    summary: 'Invite a person to your account, by mail or by a link to pass on',
    options: INVITE_OPTIONS,
    json: 'an InvitationWithLink',
    example: 'standing member invite grace@example.com --role viewer',
    load: async () => (await handlers()).invite,
  }),
  command({
    name: 'member list',
    operands: [],
    summary: 'List the people of your account',
    options: ACCOUNT_OPTIONS,
    json: 'a Member a line',
    example: 'standing member list',
    load: async () => (await handlers()).list,
  }),
  command({
    name: 'member set-role',
    operands: ['ID', 'ROLE'],
    summary: 'Change the role of a member: admin, member or viewer',
    options: ACCOUNT_OPTIONS,
    json: 'the Member',
    example: `standing member set-role ${EXAMPLE_ID} viewer`,
    load: async () => (await handlers()).setRole,
  }),
  command({
    name: 'member remove',
    operands: ['ID'],
    summary: 'Remove a person from your account',
    options: ACCOUNT_OPTIONS,
    json: '{ id, removed }',
    example: `standing member remove ${EXAMPLE_ID}`,
    load: async () => (await handlers()).remove,
  }),
]
