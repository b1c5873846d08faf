import { type CryptoKey, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import type { Caller } from '../domain/caller.ts'
import type { TrustError } from '../domain/error.ts'
import { PERMISSIONS_OF_ROLE } from '../domain/permission.ts'
import { DAY_MS } from '../domain/time.ts'
import { createCache } from '../lib/cache.ts'
import { ALGORITHM, type SigningKeys } from '../signing/keys.ts'
import { FRESH_DISCONNECTED_MS } from '../store/freshness.ts'
import type { AccountMember, MemberRow, Store } from '../store/store.ts'
import { suspendedAccount } from './suspended.ts'

/** Issues the tokens of members, and finds the caller that a token identifies. */
export interface Tokens {
  issue(member: MemberRow): Promise<{ token: string; expiresAt: number }>
  /** Null for a token that is not valid; a refusal where the account is suspended. */
  callerOf(token: string): Promise<Caller | TrustError | null>
  /** Drops what is cached of this member, or of all members of this account. */
  forget(id: string): void
  /** Reads the keys again, because one was made, replaced or revoked. */
  forgetKeys(): void
  clear(): void
}

/** A day, as decided; a token for the API is not kept longer than a session at work. */
const TOKEN_MS = DAY_MS

/** Nodes may be reached by several names, and share one key: the issuer is the service, not a name. */
const ISSUER = 'standing'
const AUDIENCE = 'standing'
const TYPE = 'at+jwt'

const REMEMBERED_MAX = 10_000

/** A token is three plain base64url parts; anything else is rejected unread. */
const FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/

export interface TokenOptions {
  readonly store: Store
  /** Sign tokens. */
  readonly keys: SigningKeys
  readonly now: () => number
  readonly newId: () => string
  /** For how long what is known of a member, and of the keys, holds. */
  readonly freshMs: () => number
}

export function createTokens({ store, keys, now, newId, freshMs }: TokenOptions): Tokens {
  const verified = new Map<string, Claims>()
  const members = createCache<AccountMember | null>({
    read: async ([id = '']) => new Map([[id, await store.members.findWithOwner(id)]]),
    isFresh: (known, ageMs) => ageMs < (known === null ? FRESH_DISCONNECTED_MS : freshMs()),
    now,
    sizeMax: REMEMBERED_MAX,
  })

  const trusted = createCache<TrustedKeys>({
    read: async ([name = '']) => new Map([[name, { at: now(), keys: await keys.trusted(store) }]]),
    isFresh: (_keys, ageMs) => ageMs < freshMs(),
    now,
    sizeMax: 1,
  })

  /** Null for a key that is unknown or revoked. One that another node just made is looked for again. */
  async function keyOf(kid: string): Promise<CryptoKey | null> {
    let known = await trusted.get(TRUSTED)
    if (known && !known.keys.has(kid) && now() - known.at >= FRESH_DISCONNECTED_MS) {
      trusted.invalidate(TRUSTED)
      known = await trusted.get(TRUSTED)
    }
    return known?.keys.get(kid) ?? null
  }

  async function claimsOf(token: string): Promise<Claims | null> {
    const known = verified.get(token)
    if (known) {
      return (await keyOf(known.kid)) && known
    }
    const kid = kidOf(token)
    const key = kid === null ? null : await keyOf(kid)
    const claims = kid !== null && key ? await verify(token, { kid, key }, now()) : null
    if (!claims) {
      return null
    }
    if (verified.size >= REMEMBERED_MAX) {
      verified.clear()
    }
    verified.set(token, claims)
    return claims
  }

  return {
    async issue({ id, ownerId, tokenEpoch }) {
      const { kid, privateKey } = await keys.signing(store)
      const issuedAt = Math.floor(now() / 1000)
      const expires = issuedAt + TOKEN_MS / 1000
      const token = await new SignJWT({ member: id, epoch: tokenEpoch })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(ownerId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expires)
        .setJti(newId())
        .sign(privateKey)
      return { token, expiresAt: expires * 1000 }
    },
    async callerOf(token) {
      const claims = await claimsOf(token)
      if (!claims || claims.expiresAt <= now()) {
        return null
      }
      const known = await members.get(claims.memberId)
      return known?.member.tokenEpoch === claims.epoch ? callerOf(known) : null
    },
    forget: (id) =>
      members.invalidateWhere((known) => known?.member.id === id || known?.owner.id === id),
    forgetKeys: () => trusted.invalidate(TRUSTED),
    clear() {
      members.clear()
      trusted.clear()
    },
  }
}

function callerOf({ member, owner }: AccountMember): Caller | TrustError {
  if (owner.status === 'suspended') {
    return suspendedAccount()
  }
  return {
    kind: 'owner',
    ownerId: owner.id,
    tier: owner.tier,
    by: { kind: 'member', id: member.id },
    permissions: PERMISSIONS_OF_ROLE[member.role],
  }
}

/** The one entry of the cache of keys. */
const TRUSTED = 'trusted'

/** The keys whose tokens are good, and when they were read. */
interface TrustedKeys {
  readonly at: number
  readonly keys: ReadonlyMap<string, CryptoKey>
}

interface Claims {
  /** The key that signed. */
  readonly kid: string
  readonly memberId: string
  readonly epoch: number
  readonly expiresAt: number
}

/** Which key a token names; null for what is no token. */
function kidOf(token: string): string | null {
  if (!FORM.test(token)) {
    return null
  }
  try {
    const { kid } = decodeProtectedHeader(token)
    return typeof kid === 'string' ? kid : null
  } catch {
    return null
  }
}

async function verify(
  token: string,
  { kid, key }: { readonly kid: string; readonly key: CryptoKey },
  now: number,
): Promise<Claims | null> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ['iss', 'aud', 'sub', 'iat', 'exp', 'jti'],
      currentDate: new Date(now),
    })
    const { member, epoch, exp = 0 } = payload
    if (typeof member !== 'string' || typeof epoch !== 'number') {
      return null
    }
    return { kid, memberId: member, epoch, expiresAt: exp * 1000 }
  } catch {
    return null
  }
}
