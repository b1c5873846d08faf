import { Standing, type StandingOptions } from '@standing/sdk'
import { UserError } from '../../src/lib/user-error.ts'
import type { Terminal } from './command.ts'
import { CredentialError } from './exit-codes.ts'
import { fetchOf } from './http/fetch.ts'
import { type Login, lastUrl, loginsAt } from './logins.ts'

/** The service's default port. */
const PORT = 8080

/** A command is repeated by the person who typed it; one repeat bridges a dropped connection. */
const RETRIES_MAX = 1

export interface ServiceOptions {
  readonly url?: string
  readonly 'operator-key'?: string
  readonly token?: string
  readonly key?: string
}

/** The address of the service. @throws UserError */
export function serviceUrl({ env }: Terminal, { url }: Pick<ServiceOptions, 'url'>): string {
  const set = url ?? (env.STANDING_URL || env.STANDING_BASE_URL)
  const local = `http://127.0.0.1:${env.PORT || PORT}`
  return httpUrl('--url', set || (env.PORT ? local : (lastUrl(env) ?? local)))
}

export function httpUrl(name: string, url: string): string {
  if (/^https?:/.test(url) && URL.canParse(url)) {
    return url.replace(/\/+$/, '')
  }
  throw new UserError(`${name} ${url} is not an http or https address.`)
}

const NO_OPERATOR_KEY = `This command needs the operator's key. Either

  - export STANDING_OPERATOR_KEY=avo_…   the key from the set-up page, or a key of your own that the
                                         service was started with, or
  - pass it: --operator-key avo_…, or
  - store it: standing login --key avo_…`

/** A client as commands use it. The mode is the terminal's by default. */
export function clientOf(terminal: Terminal, options: StandingOptions): Standing {
  const { mode } = terminal
  return new Standing({ mode, retriesMax: RETRIES_MAX, fetch: fetchOf(terminal), ...options })
}

/** A client with the operator's key. @throws UserError */
export function operatorOf(terminal: Terminal, options: ServiceOptions): Standing {
  const operatorKey = operatorKeyOf(terminal, options)
  return clientOf(terminal, { baseUrl: serviceUrl(terminal, options), operatorKey })
}

export function operatorKeyOf(terminal: Terminal, options: ServiceOptions): string {
  const { env } = terminal
  const key =
    options['operator-key'] || env.STANDING_OPERATOR_KEY || loginAt(terminal, options, 'operator')
  if (!key) {
    throw new CredentialError(NO_OPERATOR_KEY)
  }
  return key
}

/** A client that acts for an owner. @throws UserError */
export function ownerOf(terminal: Terminal, options: ServiceOptions): Standing {
  const token = options.token || terminal.env.STANDING_TOKEN || loginAt(terminal, options, 'owner')
  if (!token) {
    throw new CredentialError(
      'Your token is missing: log in with standing login, pass --token, or set STANDING_TOKEN.',
    )
  }
  return clientOf(terminal, { baseUrl: serviceUrl(terminal, options), token })
}

/** A client with the key of a platform or an agent. @throws UserError */
export function reporterOf(terminal: Terminal, options: ServiceOptions): Standing {
  const apiKey =
    options.key ||
    terminal.env.STANDING_API_KEY ||
    loginAt(terminal, options, 'platform') ||
    loginAt(terminal, options, 'agent')
  if (!apiKey) {
    throw new CredentialError(
      '--key is missing: the API key of the platform (avp_…) or of the agent (avs_…). ' +
        'Pass it, set STANDING_API_KEY, or store it: standing login --key avp_…',
    )
  }
  return clientOf(terminal, { baseUrl: serviceUrl(terminal, options), apiKey, mode: undefined })
}

/** A client with all available credentials, possibly none: each call sends the one that it takes. */
export function callerOf(terminal: Terminal, options: ServiceOptions): Standing {
  const credentials = credentialsOf(terminal, options)
  return clientOf(terminal, { baseUrl: serviceUrl(terminal, options), ...credentials })
}

/** A key that was given is the only one that is used. */
export function credentialsOf(terminal: Terminal, options: ServiceOptions) {
  const { env } = terminal
  if (options.key) {
    return { apiKey: options.key }
  }
  const at = (kind: Login['kind']) => loginAt(terminal, options, kind)
  const apiKey = env.STANDING_API_KEY || at('platform') || at('agent')
  const token = env.STANDING_TOKEN || at('owner')
  const operatorKey = env.STANDING_OPERATOR_KEY || at('operator')
  return {
    ...(apiKey ? { apiKey } : {}),
    ...(token ? { token } : {}),
    ...(operatorKey ? { operatorKey } : {}),
  }
}

/** What `standing login` stored for this address, and for no other. */
function loginAt(
  terminal: Terminal,
  options: ServiceOptions,
  kind: Login['kind'],
): string | undefined {
  const logins = loginsAt(terminal.env, serviceUrl(terminal, options))
  return logins.find((one) => one.kind === kind)?.secret
}
