import type { Member, Role } from '@standing/sdk'
import { ACCOUNT_OPTIONS, accountOf } from '../account.ts'
import { defineCommand } from '../command.ts'

export const memberInvite = defineCommand({
  name: 'member invite',
  operands: ['EMAIL'],
  summary: 'Invite a person to your account, by mail or by a link to pass on',
  options: [
    { name: 'role', value: 'ROLE', help: 'admin, member or viewer (default member)' },
    ...ACCOUNT_OPTIONS,
  ],
  example: 'standing member invite grace@example.com --role viewer',
  async run({ words: [email = ''], options }, terminal) {
    // The service refuses a role that it does not know.
    const role = (options.role ?? 'member') as Role
    const client = accountOf(terminal, options)
    const { link, expiresAt } = await client.invitations.create({ email, role })
    terminal.say(link === null ? `A mail to ${email} is on its way.` : link)
    terminal.say(`The link works once, until ${expiresAt}.`)
    return 0
  },
})

export const memberList = defineCommand({
  name: 'member list',
  operands: [],
  summary: 'List the people of your account',
  options: ACCOUNT_OPTIONS,
  example: 'standing member list',
  async run({ options }, terminal) {
    for await (const member of accountOf(terminal, options).members.list()) {
      terminal.say(memberLine(member))
    }
    return 0
  },
})

export const memberSetRole = defineCommand({
  name: 'member set-role',
  operands: ['ID', 'ROLE'],
  summary: 'Give a person of your account another role: admin, member or viewer',
  options: ACCOUNT_OPTIONS,
  example: 'standing member set-role 01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e viewer',
  async run({ words: [id = '', role = ''], options }, terminal) {
    const { members } = accountOf(terminal, options)
    terminal.say(memberLine(await members.update(id, { role: role as Role })))
    return 0
  },
})

export const memberRemove = defineCommand({
  name: 'member remove',
  operands: ['ID'],
  summary: 'Remove a person from your account',
  options: ACCOUNT_OPTIONS,
  example: 'standing member remove 01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e',
  async run({ words: [id = ''], options }, terminal) {
    await accountOf(terminal, options).members.remove(id)
    terminal.say(`${id} is removed`)
    return 0
  },
})

/** The longest role, so that columns line up. */
const ROLE_WIDTH = 'viewer'.length

function memberLine({ id, email, role, isOwner }: Member): string {
  return `${id}  ${role.padEnd(ROLE_WIDTH)}  ${email}${isOwner ? '  (owner)' : ''}`
}
