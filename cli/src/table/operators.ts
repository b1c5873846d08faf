import { command } from '../command.ts'
import { OPERATOR_OPTIONS } from '../options.ts'
import { ROTATE_OPTIONS } from './platforms.ts'

export const REVOKE_OPTIONS = [
  // Programs run it without the option, which came later.
  { name: 'yes', help: 'do it without a question on a terminal' },
  ...OPERATOR_OPTIONS,
] as const

const handlers = () => import('../commands/operators.ts')

export const OPERATORS = [
  command({
    name: 'operator create',
    operands: ['NAME'],
    summary: 'Create an operator with a key of its own and print the key, once',
    options: OPERATOR_OPTIONS,
    json: 'an OperatorWithKey',
    example: 'standing operator create alice',
    load: async () => (await handlers()).create,
  }),
  command({
    name: 'operator list',
    operands: [],
    summary: 'List the operators with the last use of their keys',
    options: OPERATOR_OPTIONS,
    json: 'an Operator a line',
    example: 'standing operator list',
    load: async () => (await handlers()).list,
  }),
  command({
    name: 'operator rotate',
    operands: ['NAME'],
    summary: 'Print a new key for an operator; the previous one is valid for another hour',
    options: ROTATE_OPTIONS,
    json: 'a RotatedKey',
    example: 'standing operator rotate alice --overlap 0',
    load: async () => (await handlers()).rotate,
  }),
  command({
    name: 'operator revoke',
    operands: ['NAME'],
    summary: 'Revoke an operator permanently: the key stops working at once',
    options: REVOKE_OPTIONS,
    json: 'the Operator',
    example: 'standing operator revoke alice',
    load: async () => (await handlers()).revoke,
  }),
]
