import { Standing } from '@standing/sdk'
import { UserError } from '../../src/lib/user-error.ts'
import type { Terminal } from './command.ts'
import { serviceUrl, URL_OPTION } from './service-url.ts'

export const ACCOUNT_OPTIONS = [
  URL_OPTION,
  {
    name: 'token',
    value: 'TOKEN',
    help: "an owner's token from log-in, or for reading an avw_ key",
    env: ['STANDING_TOKEN'],
  },
] as const

interface AccountOptions {
  readonly url?: string
  readonly token?: string
}

/** A client that speaks for an owner. @throws UserError */
export function accountOf(terminal: Terminal, options: AccountOptions): Standing {
  const token = options.token ?? terminal.env.STANDING_TOKEN
  if (!token) {
    throw new UserError('Your token is missing: pass --token, or set STANDING_TOKEN.')
  }
  return new Standing({ baseUrl: serviceUrl(terminal, options), token, retriesMax: 1 })
}
