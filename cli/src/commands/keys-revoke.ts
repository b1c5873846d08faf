import { type Command, parse } from '../command.ts'
import { keyLine } from '../keys.ts'
import { OPERATOR_OPTIONS, operatorOf } from '../operator.ts'
import { Problem } from '../problem.ts'

const OPTIONS = [
  { name: 'reason', value: 'TEXT', help: 'for the audit log; needed' },
  ...OPERATOR_OPTIONS,
] as const

export const keysRevoke: Command = {
  name: 'keys revoke',
  usage: 'KID --reason TEXT',
  summary: 'For a key that leaked: nothing it signed verifies any more, on any node, at once',
  options: OPTIONS,
  example: 'standing keys revoke KID --reason "It leaked."',
  async run(args, terminal) {
    const { words, options } = parse(args, OPTIONS)
    const [kid, ...others] = words
    const { reason } = options
    if (kid === undefined || others.length > 0 || reason === undefined) {
      throw new Problem('Give a key and why: standing keys revoke KID --reason "It leaked."')
    }
    const key = await operatorOf(terminal, options).operator.revokeSigningKey(kid, reason)
    terminal.say(keyLine(key))
    terminal.say(
      key.purpose === 'receipts'
        ? 'Receipts it signed hold no more; whoever needs one asks for it again.'
        : 'Credentials it signed hold no more, until they are signed anew: standing keys reissue',
    )
    return 0
  },
}
