import { parseArgs } from 'node:util'
import type { NotificationType } from '@standing/sdk'
import { readSecret } from '../../../src/delivery/sign.ts'

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

export const LISTEN_USAGE = `standing webhooks listen [options]

Shows what the service tells of your agents as it happens, and forwards it, signed, to a receiver on
this machine. It needs no subscription and no public address.

  --forward-to URL   post each notice there; without it they are only shown
  --url URL          where the service is                  http://127.0.0.1:8080
  --token JWT        yours, from register or login         $STANDING_TOKEN
  --events LIST      score.changed,event.ingested,…        *
  --agents LIST      ids of agents                         all of yours
  --secret whsec_…   sign with this one                    a new one, printed
`

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
  if (!token)
    throw new ListenError(`Give your token by --token or STANDING_TOKEN.\n\n${LISTEN_USAGE}`)
  const { secret = null } = values
  if (secret !== null && readSecret(secret) === null)
    throw new ListenError('--secret is not a webhook secret: whsec_ and 24 to 64 bytes in base64')
  const forwardTo = values['forward-to'] ?? null
  return {
    url: httpUrl('url', values.url ?? 'http://127.0.0.1:8080'),
    token,
    forwardTo: forwardTo === null ? null : httpUrl('forward-to', forwardTo),
    events: (values.events ?? '*').split(',') as ListenOptions['events'],
    agentIds: values.agents?.split(',') ?? null,
    secret,
  }
}

const STRING = { type: 'string' } as const

function parse(args: readonly string[]) {
  try {
    const options = {
      'forward-to': STRING,
      url: STRING,
      token: STRING,
      events: STRING,
      agents: STRING,
      secret: STRING,
    }
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new ListenError(`${error instanceof Error ? error.message : error}\n\n${LISTEN_USAGE}`)
  }
}

function httpUrl(name: string, url: string): string {
  if (/^https?:/.test(url) && URL.canParse(url)) return url
  throw new ListenError(`--${name} ${url} is not an http address`)
}
