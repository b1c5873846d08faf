import type { Session } from '../session/session.ts'
import { call } from './client.ts'
import type { Owner, OwnerSession } from './types.ts'

export interface Login {
  readonly email: string
  readonly password: string
  readonly name?: string
}

export async function logIn(body: Login): Promise<Session> {
  return ownerOf(await call<OwnerSession>('POST', '/v1/auth/login', { body, credential: null }))
}

export async function register(body: Login): Promise<Session> {
  return ownerOf(await call<OwnerSession>('POST', '/v1/auth/register', { body, credential: null }))
}

export async function changePassword(body: {
  readonly currentPassword: string
  readonly newPassword: string
}): Promise<Session> {
  return ownerOf(await call<OwnerSession>('POST', '/v1/auth/password', { body }))
}

export function ownSelf(signal: AbortSignal): Promise<Owner> {
  return call('GET', '/v1/auth/me', { signal })
}

/** Every caller may ask what the tiers mean, at no cost: whether a key is valid shows there. */
export async function tryKey(kind: 'operator' | 'platform', key: string): Promise<Session> {
  await call('GET', '/v1/scores/classifications', { credential: key })
  return { kind, credential: key }
}

function ownerOf({ token, owner, expiresAt }: OwnerSession): Session {
  return { kind: 'owner', credential: token, owner, expiresAt }
}
