import { defineCommand } from '../command.ts'
import { OPERATOR_OPTIONS, operatorOf } from '../operator.ts'

export const ownerInvite = defineCommand({
  name: 'owner invite',
  operands: ['EMAIL'],
  summary: 'Invite a person to open an account, by mail or by a link to pass on',
  options: OPERATOR_OPTIONS,
  example: 'standing owner invite ada@example.com',
  async run({ words: [email = ''], options }, terminal) {
    const { operator } = operatorOf(terminal, options)
    const { link, expiresAt } = await operator.inviteOwner(email)
    terminal.say(link === null ? `A mail to ${email} is on its way.` : link)
    terminal.say(`The link works once, until ${expiresAt}.`)
    return 0
  },
})
