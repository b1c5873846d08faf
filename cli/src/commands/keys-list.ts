import { defineCommand } from '../command.ts'
import { OPERATOR_OPTIONS, operatorOf } from '../operator.ts'
import { keyLine } from '../signing-keys.ts'

export const keysList = defineCommand({
  name: 'keys list',
  operands: [],
  summary: 'List the keys that sign credentials and receipts: active, retired and revoked',
  options: OPERATOR_OPTIONS,
  example: 'standing keys list',
  async run({ options }, terminal) {
    for (const key of await operatorOf(terminal, options).operator.signingKeys()) {
      terminal.say(keyLine(key))
    }
    return 0
  },
})
