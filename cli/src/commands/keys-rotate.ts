import type { Standing } from '@standing/sdk'
import { defineCommand } from '../command.ts'
import { OPERATOR_OPTIONS, operatorOf } from '../operator.ts'
import { keyLine } from '../signing-keys.ts'

type Purpose = Parameters<Standing['operator']['rotateSigningKey']>[0]

export const keysRotate = defineCommand({
  name: 'keys rotate',
  operands: [],
  summary: 'Sign with new keys from now on; earlier signatures stay valid',
  options: [
    { name: 'only', value: 'PURPOSE', help: 'credentials or receipts (default both)' },
    ...OPERATOR_OPTIONS,
  ],
  example: 'standing keys rotate --only receipts',
  async run({ options }, terminal) {
    const purposes = options.only === undefined ? ['credentials', 'receipts'] : [options.only]
    const { operator } = operatorOf(terminal, options)
    for (const purpose of purposes) {
      // The service refuses a purpose that it does not know.
      terminal.say(keyLine(await operator.rotateSigningKey(purpose as Purpose)))
    }
    terminal.say('Earlier signatures stay valid.')
    if (purposes.includes('credentials')) {
      terminal.say('To sign active credentials with the new key: standing keys reissue')
    }
    return 0
  },
})
