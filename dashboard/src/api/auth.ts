import type { Session } from '../session/session.ts'
import { call } from './client.ts'
import { pagesAt } from './pages.ts'
import type { Account, ActiveSession, AuthOptions, OwnerSession } from './types.ts'

export interface AccountInput {
  readonly email: string
  readonly password: string
  readonly name?: string
}

/** The ways in, as the operator has set them. */
export function authOptions(signal: AbortSignal): Promise<AuthOptions> {
  return call('GET', '/v1/auth/options', { credential: null, signal })
}

/** The last step of a sign-in at a provider: the code counts with the cookie of this browser alone. */
export async function finishOidc(code: string): Promise<Session> {
  const options = { body: { code }, credential: null, withCookie: true }
  return ownerOf(await call<OwnerSession>('POST', '/v1/auth/oidc/session', options))
}

export function requestPasswordReset(email: string): Promise<void> {
  return call('POST', '/v1/auth/password-reset', { body: { email }, credential: null })
}

export function requestEmailConfirmation(): Promise<void> {
  return call('POST', '/v1/auth/email-confirmation')
}

export async function openSession(body: AccountInput): Promise<Session> {
  return ownerOf(await call<OwnerSession>('POST', '/v1/auth/login', { body, credential: null }))
}

export async function register(body: AccountInput): Promise<Session> {
  return ownerOf(await call<OwnerSession>('POST', '/v1/auth/register', { body, credential: null }))
}

export async function changePassword(body: {
  readonly currentPassword: string
  readonly newPassword: string
}): Promise<Session> {
  return ownerOf(await call<OwnerSession>('POST', '/v1/auth/password', { body }))
}

export const listSessions = pagesAt<ActiveSession>('/v1/auth/sessions')

/** With the credential of that session, for one that the dashboard has left. */
export function endSession(id: string, credential?: string): Promise<void> {
  return call('DELETE', `/v1/auth/sessions/${id}`, {
    ...(credential === undefined ? {} : { credential, keepalive: true }),
  })
}

/** Ends the session that a token stands for. */
export async function endSessionOf(token: string): Promise<void> {
  const [, payload = ''] = token.split('.')
  const { jti } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
  await endSession(String(jti), token)
}

/** The account, and the person who is signed in. */
export function ownSelf(signal: AbortSignal): Promise<Account> {
  return call('GET', '/v1/auth/me', { signal })
}

/** Every caller may ask what the tiers mean, at no cost: whether a key is valid shows there. */
export async function tryKey(kind: 'operator' | 'platform', key: string): Promise<Session> {
  await call('GET', '/v1/scores/classifications', { credential: key })
  return { kind, credential: key }
}

/** With what the role of the person allows, so that no page shows for a moment what it does not. */
async function ownerOf({ token, ...known }: OwnerSession): Promise<Session> {
  const { member, permissions } = await call<Account>('GET', '/v1/auth/me', { credential: token })
  return { kind: 'owner', credential: token, ...known, member, permissions }
}
