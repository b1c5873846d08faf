import type { Caller, CallerKind } from '../domain/caller.ts'
import { forbidden, TrustError } from '../domain/error.ts'
import type { HeadersIn } from './request.ts'

/** Finds out whose key or token it is, or null when it is nobody's. */
export type Authenticate = (credential: string) => Promise<Caller | null>

/** Whom a credential names. */
export async function callerOf(credential: string, authenticate: Authenticate): Promise<Caller> {
  const caller = await authenticate(credential)
  if (caller) {
    return caller
  }
  throw new TrustError(
    'AUTHENTICATION_REQUIRED',
    'the credential is not valid: it is unknown, expired or revoked',
  )
}

/** The key or token, from `X-API-Key` or `Authorization: Bearer`; null for somebody at an address. */
export function credentialOf(headers: HeadersIn): string | null {
  const key = headers.get('x-api-key')
  const authorization = headers.get('authorization')
  if (key !== null && authorization !== null && bearerOf(authorization) !== key.trim()) {
    throw new TrustError(
      'AUTHENTICATION_REQUIRED',
      'X-API-Key and Authorization name different credentials; send one of them',
    )
  }
  if (key !== null) {
    return key.trim()
  }
  return authorization === null ? null : bearerOf(authorization)
}

function bearerOf(authorization: string): string {
  const match = /^Bearer +(\S+) *$/i.exec(authorization)
  if (match?.[1]) {
    return match[1]
  }
  throw new TrustError(
    'AUTHENTICATION_REQUIRED',
    'Authorization must read: Bearer, a space, and the token or API key',
  )
}

const CREDENTIALS: Record<CallerKind, string> = {
  anonymous: 'no credential',
  owner: "an owner's token (Authorization: Bearer <JWT>)",
  agent: "an agent's API key (X-API-Key: avs_…)",
  platform: "a platform's API key (X-API-Key: avp_…)",
  operator: "the operator's key (X-API-Key: avo_…)",
}

export function checkCaller(caller: Caller, allowed: readonly CallerKind[]): void {
  if (allowed.includes(caller.kind)) {
    return
  }
  const wanted = allowed.map((kind) => CREDENTIALS[kind]).join(', or ')
  if (caller.kind === 'anonymous') {
    throw new TrustError('AUTHENTICATION_REQUIRED', `this needs ${wanted}`)
  }
  throw forbidden(`this needs ${wanted}`, { callers: allowed })
}
