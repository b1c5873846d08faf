import { defineCommand } from '../command.ts'
import { OPERATOR_OPTIONS, operatorOf } from '../operator.ts'

export const ownerResetLink = defineCommand({
  name: 'owner reset-link',
  operands: ['EMAIL'],
  summary: 'Print a link by which a person sets a new password',
  options: OPERATOR_OPTIONS,
  example: 'standing owner reset-link ada@example.com',
  async run({ words: [email = ''], options }, terminal) {
    const { operator } = operatorOf(terminal, options)
    const { link, expiresAt } = await operator.createResetLink(email)
    terminal.say(link)
    terminal.say(`The link works once, until ${expiresAt}.`)
    return 0
  },
})
