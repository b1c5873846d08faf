import { defineCommand } from '../command.ts'
import { OPERATOR_OPTIONS, operatorOf } from '../operator.ts'

export const keysReissue = defineCommand({
  name: 'keys reissue',
  operands: [],
  summary: 'Sign all active credentials again, with the current key and the current address',
  options: OPERATOR_OPTIONS,
  example: 'standing keys reissue',
  async run({ options }, terminal) {
    const count = await operatorOf(terminal, options).operator.reissueCredentials()
    terminal.say(`${count} credentials signed again`)
    return 0
  },
})
