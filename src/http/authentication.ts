import type { Caller, CallerKind } from '../domain/caller.ts'
import { forbidden, TrustError } from '../domain/error.ts'
import type { Permission } from '../domain/permission.ts'
import { type Awaitable, andThen } from '../lib/awaitable.ts'
import { inMode, MODE_HEADER } from './mode.ts'
import type { HeadersIn } from './request.ts'

/** Finds the caller that a key or token belongs to; null when there is none. */
export type Authenticate = (credential: string) => Awaitable<Caller | TrustError | null>

/** The caller of a request, an error when its credential is invalid, null without a credential. */
export function authenticated(
  headers: HeadersIn,
  authenticate: Authenticate,
): Awaitable<Caller | TrustError | null> {
  const credential = credentialOf(headers)
  if (credential instanceof TrustError) {
    return credential
  }
  const mode = headers.get(MODE_HEADER)
  if (credential === null) {
    return mode === null ? null : inMode(null, mode)
  }
  return andThen(authenticate(credential), (found) => {
    const caller = found ?? unknownCredential()
    return mode === null || caller instanceof TrustError ? caller : inMode(caller, mode)
  })
}

/** The key or token from `X-API-Key` or `Authorization: Bearer`; null when neither is sent. */
export function credentialOf(headers: HeadersIn): string | TrustError | null {
  const key = headers.get('x-api-key')?.trim() ?? null
  const authorization = headers.get('authorization')
  const bearer = authorization === null ? null : bearerOf(authorization)
  if (key === null || bearer instanceof TrustError) {
    return bearer
  }
  if (bearer !== null && bearer !== key) {
    return refused('X-API-Key and Authorization name different credentials; send one of them')
  }
  // A token in X-API-Key would escape the rules that proxies and logs have for Authorization.
  return API_KEY.test(key) ? key : refused('X-API-Key takes an API key; send a token as Bearer')
}

/** How every API key begins: `avs_`, `avw_`, `avp_`, `avo_`. */
const API_KEY = /^av[a-z]_/

function bearerOf(authorization: string): string | TrustError {
  const match = /^Bearer +(\S+) *$/i.exec(authorization)
  return match?.[1] ?? refused('Authorization must read: Bearer, a space, and the token or API key')
}

function unknownCredential(): TrustError {
  return refused('the credential is not valid: it is unknown, expired or revoked')
}

function refused(message: string): TrustError {
  return new TrustError('AUTHENTICATION_REQUIRED', message)
}

const CREDENTIALS: Record<CallerKind, string> = {
  anonymous: 'no credential',
  owner: "an owner's token or key (Authorization: Bearer <JWT>, or avw_…)",
  agent: "an agent's API key (X-API-Key: avs_…)",
  platform: "a platform's API key (X-API-Key: avp_…)",
  operator: "the operator's key (X-API-Key: avo_…)",
}

/** Throws unless the operation is open to this kind of caller. */
export function checkCaller(caller: Caller, allowed: readonly CallerKind[]): void {
  if (allowed.includes(caller.kind)) {
    return
  }
  const wanted = allowed.map((kind) => CREDENTIALS[kind]).join(', or ')
  if (caller.kind === 'anonymous') {
    throw refused(`this needs ${wanted}`)
  }
  throw forbidden(`this needs ${wanted}`, { callers: allowed })
}

const NEEDS: Record<Permission, string> = {
  read: 'an API key with the scope read, or a sign-in',
  report: 'an API key with the scope report, or a sign-in with the role member or admin',
  manage: 'an API key with the scope manage, or a sign-in with the role member or admin',
  admin: 'a sign-in with the role admin; no API key may do this',
  session: 'a sign-in; no API key may do this',
}

/** Throws unless the owner's key or member may do this. Other callers have no permissions. */
export function checkPermission(caller: Caller, needed: Permission | null): void {
  if (caller.kind !== 'owner' || needed === null || caller.permissions.includes(needed)) {
    return
  }
  throw forbidden(`this needs ${NEEDS[needed]}`, {
    reason: 'insufficient_permission',
    permission: needed,
  })
}
