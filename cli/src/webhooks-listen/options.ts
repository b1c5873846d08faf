import { parseArgs } from 'node:util'
import type { NotificationType } from '@standing/sdk'
import { readSecret } from '../../../src/delivery/sign.ts'
import { defaultUrl, URL_OPTION } from '../service-url.ts'

export interface ListenOptions {
  readonly url: string
  readonly token: string
  readonly forwardTo: string | null
  /** The service says which of them it does not know. */
  readonly events: readonly (NotificationType | '*')[]
  readonly agentIds: readonly string[] | null
  /** Null: a new one for this run. */
  readonly secret: string | null
}

export const LISTEN_OPTIONS = [
  { name: 'forward-to', value: 'URL', help: 'post each notice there; without it they are shown' },
  { name: 'events', value: 'LIST', help: 'score.changed,event.ingested,… (all)' },
  { name: 'agents', value: 'LIST', help: 'ids of agents (all of yours)' },
  { name: 'secret', value: 'whsec_…', help: 'sign with this one (a new one, printed)' },
  { name: 'token', value: 'JWT', help: 'yours, from register or login', env: ['STANDING_TOKEN'] },
  URL_OPTION,
] as const

/** Options that cannot be used, in words for whoever gave them. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** @throws ListenError that says which option is wrong, and how */
export function parseListenOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ListenOptions {
  const values = parse(args)
  const token = values.token ?? env.STANDING_TOKEN
  if (!token) {
    throw new ListenError('Give your token by --token or STANDING_TOKEN.')
  }
  const { secret = null } = values
  if (secret !== null && readSecret(secret) === null) {
    throw new ListenError('--secret is not a webhook secret: whsec_ and 24 to 64 bytes in base64')
  }
  const forwardTo = values['forward-to'] ?? null
  return {
    url: httpUrl('url', values.url ?? defaultUrl(env)),
    token,
    forwardTo: forwardTo === null ? null : httpUrl('forward-to', forwardTo),
    events: (values.events ?? '*').split(',') as ListenOptions['events'],
    agentIds: values.agents?.split(',') ?? null,
    secret,
  }
}

function parse(args: readonly string[]) {
  const options = Object.fromEntries(
    LISTEN_OPTIONS.map(({ name }) => [name, { type: 'string' }] as const),
  )
  try {
    const { values } = parseArgs({ args: [...args], options })
    return values as Partial<Record<(typeof LISTEN_OPTIONS)[number]['name'], string>>
  } catch (error) {
    throw new ListenError(error instanceof Error ? error.message : String(error))
  }
}

function httpUrl(name: string, url: string): string {
  if (/^https?:/.test(url) && URL.canParse(url)) {
    return url
  }
  throw new ListenError(`--${name} ${url} is not an http address`)
}
