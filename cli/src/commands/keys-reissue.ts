import { type Command, parse } from '../command.ts'
import { OPERATOR_OPTIONS, operatorOf } from '../operator.ts'
import { Problem } from '../problem.ts'

export const keysReissue: Command = {
  name: 'keys reissue',
  usage: '',
  summary: 'Sign every living credential anew, by the key and the address in force',
  options: OPERATOR_OPTIONS,
  example: 'standing keys reissue',
  async run(args, terminal) {
    const { words, options } = parse(args, OPERATOR_OPTIONS)
    if (words.length > 0) {
      throw new Problem('It takes no name: standing keys reissue')
    }
    const reissued = await operatorOf(terminal, options).operator.reissueCredentials()
    terminal.say(`${reissued} credentials signed anew`)
    return 0
  },
}
