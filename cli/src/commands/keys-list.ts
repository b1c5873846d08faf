import { type Command, parse } from '../command.ts'
import { keyLine } from '../keys.ts'
import { OPERATOR_OPTIONS, operatorOf } from '../operator.ts'
import { Problem } from '../problem.ts'

export const keysList: Command = {
  name: 'keys list',
  usage: '',
  summary: 'The keys that sign credentials and receipts: active, retired, revoked',
  options: OPERATOR_OPTIONS,
  example: 'standing keys list',
  async run(args, terminal) {
    const { words, options } = parse(args, OPERATOR_OPTIONS)
    if (words.length > 0) {
      throw new Problem('It takes no name: standing keys list')
    }
    const keys = await operatorOf(terminal, options).operator.signingKeys()
    for (const key of keys) {
      terminal.say(keyLine(key))
    }
    return 0
  },
}
