import type { Standing } from '@standing/sdk'
import { type Command, parse } from '../command.ts'
import { keyLine } from '../keys.ts'
import { OPERATOR_OPTIONS, operatorOf } from '../operator.ts'
import { Problem } from '../problem.ts'

type Purpose = Parameters<Standing['operator']['rotateSigningKey']>[0]

const OPTIONS = [
  { name: 'only', value: 'PURPOSE', help: 'credentials or receipts (both)' },
  ...OPERATOR_OPTIONS,
] as const

export const keysRotate: Command = {
  name: 'keys rotate',
  usage: '',
  summary: 'Sign with new keys from now on; what was signed before still verifies',
  options: OPTIONS,
  example: 'standing keys rotate --only receipts',
  async run(args, terminal) {
    const { words, options } = parse(args, OPTIONS)
    if (words.length > 0) {
      throw new Problem('It takes no name: standing keys rotate')
    }
    const purposes = options.only === undefined ? ['credentials', 'receipts'] : [options.only]
    const { operator } = operatorOf(terminal, options)
    for (const purpose of purposes) {
      terminal.say(keyLine(await operator.rotateSigningKey(purpose as Purpose)))
    }
    terminal.say('What was signed before still verifies.')
    if (purposes.includes('credentials')) {
      terminal.say('To have living credentials signed anew: standing keys reissue')
    }
    return 0
  },
}
