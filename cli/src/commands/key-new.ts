import { newKey, PREFIX } from '../../../src/auth/key-format.ts'
import { UserError } from '../../../src/lib/user-error.ts'
import { defineCommand } from '../command.ts'

type Kind = keyof typeof PREFIX

export const keyNew = defineCommand({
  name: 'key new',
  operands: ['KIND'],
  summary: 'Print a random key for a setting, with its checksum: operator, owner or platform',
  options: [],
  example: 'standing key new operator',
  async run({ words: [kind = ''] }, { say }) {
    if (!(kind in PREFIX)) {
      throw new UserError(`${kind} is no kind of key: ${Object.keys(PREFIX).join(', ')}.`)
    }
    say(newKey(kind as Kind))
    return 0
  },
})
