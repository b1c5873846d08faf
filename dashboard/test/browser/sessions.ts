import type { Session } from '../../src/session/session.ts'
import { callAs } from '../demo/caller.ts'
import type { Demo } from './setup.ts'

/** Sessions of the demo's people, as signing in leaves them in the tab. */
export async function sessionsOf(demo: Demo): Promise<Readonly<Record<Session['kind'], Session>>> {
  const { email, password } = demo.owner
  const anyone = callAs(demo.url, null)
  const { owner, token, expiresAt } = await anyone.post('/v1/auth/login', { email, password })
  return {
    owner: {
      kind: 'owner',
      credential: String(token),
      owner: owner as (Session & { kind: 'owner' })['owner'],
      expiresAt: String(expiresAt),
    },
    operator: { kind: 'operator', credential: demo.operatorKey },
    platform: { kind: 'platform', credential: demo.platformKey },
  }
}
