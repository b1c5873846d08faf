import { Standing, type StandingOptions } from '@standing/sdk'
import { keyKindOf } from '../../src/auth/key-format.ts'
import { UsageError } from '../../src/lib/user-error.ts'
import type { Terminal } from './command.ts'
import { CredentialError } from './exit-codes.ts'
import { fetchOf } from './http/fetch.ts'
import { lastUrl, loginsAt } from './logins.ts'

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

/** The address of the service, without a slash at its end. @throws UsageError */
export function serviceUrl({ env }: Terminal, { url }: Pick<ServiceOptions, 'url'>): string {
  const given = [
    ['--url', url],
    ['STANDING_URL', env.STANDING_URL],
    ['STANDING_BASE_URL', env.STANDING_BASE_URL],
  ] as const
  for (const [name, address] of given) {
    if (address) {
      return serviceAddress(name, address)
    }
  }
  const local = `http://127.0.0.1:${env.PORT || PORT}`
  return env.PORT ? local : (lastUrl(env) ?? local)
}

/** As the SDK takes it: with or without `/v1` at its end. @throws UsageError */
export function serviceAddress(name: string, url: string): string {
  return httpUrl(name, url).replace(/\/+v1$/, '')
}

/** @throws UsageError that names the option or the variable */
export function httpUrl(name: string, url: string): string {
  if (/^https?:/.test(url) && URL.canParse(url)) {
    return url.replace(/\/+$/, '')
  }
  throw new UsageError(
    `${name} ${url} is not an http or https address. It has the form http://127.0.0.1:8080.`,
  )
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

/**
 * Where each credential is looked for: its option, its variable, then what `standing login` stored for this
 * address, and for no other.
 */
const CREDENTIALS = {
  apiKey: { option: 'key', variable: 'STANDING_API_KEY', stored: ['platform', 'agent'] },
  token: { option: 'token', variable: 'STANDING_TOKEN', stored: ['owner'] },
  operatorKey: { option: 'operator-key', variable: 'STANDING_OPERATOR_KEY', stored: ['operator'] },
} as const

function find(
  terminal: Terminal,
  options: ServiceOptions,
  name: keyof typeof CREDENTIALS,
): string | undefined {
  const { option, variable, stored } = CREDENTIALS[name]
  const given = options[option] || terminal.env[variable]
  if (given) {
    // A token has no form of its own.
    return name === 'token' ? given : checkedKey(options[option] ? `--${option}` : variable, given)
  }
  const kinds: readonly string[] = stored
  const logins = loginsAt(terminal.env, serviceUrl(terminal, options))
  return logins.find(({ kind }) => kinds.includes(kind))?.secret
}

/** A JWT, which is JSON in base64url and so begins like this. */
const TOKEN = /^eyJ/

/** @throws CredentialError that names the option or the variable of what is neither a key nor a token */
function checkedKey(name: string, secret: string): string {
  if (keyKindOf(secret.trim()) === null && !TOKEN.test(secret.trim())) {
    throw new CredentialError(
      `${name} is not a key. A key begins with avp_ (platform), avs_ (agent), avw_ (account) or avo_ (operator).`,
    )
  }
  return secret
}

/** A client with the operator's key. @throws UserError */
export function operatorOf(terminal: Terminal, options: ServiceOptions): Standing {
  const operatorKey = operatorKeyOf(terminal, options)
  return clientOf(terminal, { baseUrl: serviceUrl(terminal, options), operatorKey })
}

/** @throws CredentialError */
export function operatorKeyOf(terminal: Terminal, options: ServiceOptions): string {
  const key = find(terminal, options, 'operatorKey')
  if (!key) {
    throw new CredentialError(NO_OPERATOR_KEY)
  }
  return key
}

/** A client that acts for an owner. @throws UserError */
export function ownerOf(terminal: Terminal, options: ServiceOptions): Standing {
  const token = tokenOf(terminal, options)
  return clientOf(terminal, { baseUrl: serviceUrl(terminal, options), token })
}

/** A token of an owner, or a key of the account. @throws CredentialError */
export function tokenOf(terminal: Terminal, options: ServiceOptions): string {
  const token = find(terminal, options, 'token')
  if (!token) {
    throw new CredentialError(
      'Your token is missing: sign in with standing login, pass --token, or set STANDING_TOKEN.',
    )
  }
  return token
}

/** A client with the key of a platform or an agent. @throws UserError */
export function reporterOf(terminal: Terminal, options: ServiceOptions): Standing {
  const apiKey = find(terminal, options, 'apiKey')
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

/** As `callerOf`, without a platform's key where another credential is there: it cannot read an agent's record. */
export function recordReaderOf(terminal: Terminal, options: ServiceOptions): Standing {
  const { apiKey, ...others } = credentialsOf(terminal, options)
  const isOfPlatform = apiKey !== undefined && keyKindOf(apiKey) === 'platform'
  const isNeeded = others.token === undefined && others.operatorKey === undefined
  const credentials = isOfPlatform && !isNeeded ? others : { apiKey, ...others }
  return clientOf(terminal, { baseUrl: serviceUrl(terminal, options), ...credentials })
}

/** All available credentials. A key that was given is the only one that is used. */
export function credentialsOf(
  terminal: Terminal,
  options: ServiceOptions,
): Pick<StandingOptions, keyof typeof CREDENTIALS> {
  if (options.key) {
    return { apiKey: checkedKey('--key', options.key) }
  }
  return {
    apiKey: find(terminal, options, 'apiKey'),
    token: find(terminal, options, 'token'),
    operatorKey: find(terminal, options, 'operatorKey'),
  }
}
