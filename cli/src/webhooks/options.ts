import type { NotificationType } from '@standing/sdk'
import { readSecret } from '../../../src/delivery/sign.ts'
import { UserError } from '../../../src/lib/user-error.ts'
import type { Terminal } from '../command.ts'
import { httpUrl, serviceUrl, URL_OPTION } from '../service-url.ts'

export interface ListenOptions {
  readonly url: string
  readonly token: string
  readonly forwardTo: string | null
  /** The service refuses a type that it does not know. */
  readonly events: readonly (NotificationType | '*')[]
  readonly agentIds: readonly string[] | null
  /** Null: a new one for this run. */
  readonly secret: string | null
}

export const LISTENER_OPTIONS = [
  { name: 'forward-to', value: 'URL', help: 'post each notification there' },
  { name: 'events', value: 'LIST', help: 'types: score.changed,event.ingested,… (default all)' },
  { name: 'agents', value: 'LIST', help: 'ids of agents (default all of yours)' },
  { name: 'secret', value: 'whsec_…', help: 'secret to sign with (default a new one, printed)' },
  {
    name: 'token',
    value: 'JWT',
    help: 'your token, from register or login',
    env: ['STANDING_TOKEN'],
  },
  URL_OPTION,
] as const

type Given = Readonly<Partial<Record<(typeof LISTENER_OPTIONS)[number]['name'], string>>>

/** @throws UserError that names the option which is wrong */
export function listenOptions(terminal: Terminal, given: Given): ListenOptions {
  const token = given.token ?? terminal.env.STANDING_TOKEN
  if (!token) {
    throw new UserError('Your token is missing: pass --token, or set STANDING_TOKEN.')
  }
  const { secret = null } = given
  if (secret !== null && readSecret(secret) === null) {
    throw new UserError('--secret is not a webhook secret: whsec_ and 24 to 64 bytes in base64.')
  }
  const forwardTo = given['forward-to']
  return {
    url: serviceUrl(terminal, given),
    token,
    forwardTo: forwardTo === undefined ? null : httpUrl('--forward-to', forwardTo),
    events: (given.events ?? '*').split(',') as ListenOptions['events'],
    agentIds: given.agents?.split(',') ?? null,
    secret,
  }
}
