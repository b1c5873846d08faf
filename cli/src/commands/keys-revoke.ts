import { UserError } from '../../../src/lib/user-error.ts'
import { defineCommand } from '../command.ts'
import { OPERATOR_OPTIONS, operatorOf } from '../operator.ts'
import { keyLine } from '../signing-keys.ts'

export const keysRevoke = defineCommand({
  name: 'keys revoke',
  operands: ['KID'],
  summary: 'Revoke a signing key that leaked: from now on no node accepts its signatures',
  options: [
    { name: 'reason', value: 'TEXT', help: 'for the audit log; required' },
    ...OPERATOR_OPTIONS,
  ],
  example: 'standing keys revoke KID --reason "The key leaked."',
  async run({ words: [kid = ''], options }, terminal) {
    if (options.reason === undefined) {
      throw new UserError('--reason is missing. It is written to the audit log.')
    }
    const { operator } = operatorOf(terminal, options)
    const key = await operator.revokeSigningKey(kid, options.reason)
    terminal.say(keyLine(key))
    terminal.say(
      key.purpose === 'receipts'
        ? 'Receipts that it signed are no longer valid; a client can request new ones.'
        : 'Credentials that it signed are no longer valid until they are signed again: standing keys reissue',
    )
    return 0
  },
})
