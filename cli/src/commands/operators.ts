import { defineCommand } from '../command.ts'
import { OPERATOR_OPTIONS, operatorOf } from '../operator.ts'

export const operatorCreate = defineCommand({
  name: 'operator create',
  operands: ['NAME'],
  summary: 'Create an operator with a key of its own and print the key, once',
  options: OPERATOR_OPTIONS,
  example: 'standing operator create alice',
  async run({ words: [name = ''], options }, terminal) {
    const created = await operatorOf(terminal, options).operator.createOperator(name)
    terminal.say(created.apiKey)
    terminal.say('The key is not shown again.')
    return 0
  },
})

/** The longest status, so that columns line up. */
const STATUS_WIDTH = 'revoked'.length

export const operatorList = defineCommand({
  name: 'operator list',
  operands: [],
  summary: 'List the operators with the last use of their keys',
  options: OPERATOR_OPTIONS,
  example: 'standing operator list',
  async run({ options }, terminal) {
    for (const one of await operatorOf(terminal, options).operator.operators()) {
      const used = one.lastUsedAt === null ? 'never used' : `last used ${one.lastUsedAt}`
      terminal.say(`${one.status.padEnd(STATUS_WIDTH)}  ${one.name}  ${used}`)
    }
    return 0
  },
})

export const operatorRotate = defineCommand({
  name: 'operator rotate',
  operands: ['NAME'],
  summary: 'Print a new key for an operator; the previous one works on for an hour',
  options: [
    {
      name: 'overlap',
      value: 'SECONDS',
      help: 'how long the previous key works on (default 3600)',
    },
    ...OPERATOR_OPTIONS,
  ],
  example: 'standing operator rotate alice --overlap 0',
  async run({ words: [name = ''], options }, terminal) {
    const { operator } = operatorOf(terminal, options)
    const input = options.overlap === undefined ? {} : { overlapSeconds: Number(options.overlap) }
    const { apiKey, previousKeyExpiresAt } = await operator.rotateOperatorKey(name, input)
    terminal.say(apiKey)
    terminal.say(
      `The key is not shown again. The previous one works until ${previousKeyExpiresAt}.`,
    )
    return 0
  },
})

export const operatorRevoke = defineCommand({
  name: 'operator revoke',
  operands: ['NAME'],
  summary: 'Revoke an operator: the key stops working at once',
  options: OPERATOR_OPTIONS,
  example: 'standing operator revoke alice',
  async run({ words: [name = ''], options }, terminal) {
    const { status } = await operatorOf(terminal, options).operator.revokeOperator(name)
    terminal.say(`${name} is ${status}`)
    return 0
  },
})
