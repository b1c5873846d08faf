import type { NotificationType, Standing } from '@standing/sdk'
import { readSecret } from '../../../src/lib/standard-webhooks.ts'
import { UsageError } from '../../../src/lib/user-error.ts'
import { httpUrl, ownerOf, serviceUrl } from '../clients.ts'
import type { InputOf, Terminal } from '../command.ts'
import type { LISTEN_OPTIONS } from '../table/webhooks.ts'

export interface ListenOptions {
  readonly client: Standing
  readonly url: string
  readonly forwardTo: string | null
  /** The service refuses a type that it does not know. */
  readonly events: readonly (NotificationType | '*')[]
  readonly agentIds: readonly string[] | null
  /** Null: a new one for this run. */
  readonly secret: string | null
}

type Given = InputOf<typeof LISTEN_OPTIONS>['options']

/** @throws UserError that names the option which is wrong */
export function listenOptions(terminal: Terminal, given: Given): ListenOptions {
  const client = ownerOf(terminal, given)
  const { secret = null } = given
  if (secret !== null && readSecret(secret) === null) {
    throw new UsageError('--secret is not a webhook secret: whsec_ and 24 to 64 bytes in base64.')
  }
  const forwardTo = given['forward-to']
  return {
    client,
    url: serviceUrl(terminal, given),
    forwardTo: forwardTo === undefined ? null : httpUrl('--forward-to', forwardTo),
    events: (given.events ?? '*').split(',') as ListenOptions['events'],
    agentIds: given.agents?.split(',') ?? null,
    secret,
  }
}
