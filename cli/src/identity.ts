import { clientOf } from './clients.ts'
import type { Terminal } from './command.ts'
import type { Login } from './logins.ts'

export interface Identity {
  /** An e-mail address or a display name; null where the service does not say. */
  readonly name: string | null
  readonly id: string | null
}

/** Whose a credential is, by the service. @throws StandingError where it does not work */
export async function identityOf(
  terminal: Terminal,
  baseUrl: string,
  { kind, secret }: Pick<Login, 'kind' | 'secret'>,
): Promise<Identity> {
  // The SDK sends a key as what it is.
  const client = clientOf(terminal, { baseUrl, token: secret, mode: undefined })
  switch (kind) {
    case 'owner': {
      const account = await client.auth.me()
      return { name: account.member?.email ?? account.email, id: account.id }
    }
    case 'agent': {
      const { displayName, id } = await client.agents.me()
      return { name: displayName, id }
    }
    case 'platform': {
      const { name, id } = await client.events.ownPlatform()
      return { name, id }
    }
    case 'operator':
      await client.operator.operators()
      return { name: null, id: null }
  }
}
