import { Standing } from '@standing/sdk'
import { UserError } from '../../src/lib/user-error.ts'
import type { Terminal } from './command.ts'
import { serviceUrl, URL_OPTION } from './service-url.ts'

export const OPERATOR_OPTIONS = [
  URL_OPTION,
  {
    name: 'operator-key',
    value: 'avo_…',
    help: "the operator's key",
    env: ['STANDING_OPERATOR_KEY'],
  },
] as const

const NO_KEY = `This command needs the operator's key. Either

  - export STANDING_OPERATOR_KEY=avo_…   the key from the set-up page, or a key of your own that the
                                         service was started with, or
  - pass it: --operator-key avo_…`

interface OperatorOptions {
  readonly url?: string
  readonly 'operator-key'?: string
}

/** A client with the operator's key. @throws UserError */
export function operatorOf(terminal: Terminal, options: OperatorOptions): Standing {
  const operatorKey = operatorKeyOf(terminal, options)
  return new Standing({ baseUrl: serviceUrl(terminal, options), operatorKey, retriesMax: 1 })
}

export function operatorKeyOf({ env }: Terminal, options: OperatorOptions): string {
  const operatorKey = options['operator-key'] ?? env.STANDING_OPERATOR_KEY
  if (!operatorKey) {
    throw new UserError(NO_KEY)
  }
  return operatorKey
}
