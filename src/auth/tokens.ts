import { type CryptoKey, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import type { Caller } from '../domain/caller.ts'
import type { TrustError } from '../domain/error.ts'
import { PERMISSIONS_OF_ROLE } from '../domain/permission.ts'
import { DAY_MS } from '../domain/time.ts'
import { createBoundedMap } from '../lib/bounded-map.ts'
import { type Cache, createCache } from '../lib/cache.ts'
import { ALGORITHM, type OpenKey, type SigningKeys } from '../signing/keys.ts'
import { FRESH_DISCONNECTED_MS } from '../store/freshness.ts'
import type { MemberRow, MemberSession, OwnerRow, Store } from '../store/store.ts'
import { idleBefore, idleSession } from './idle-session.ts'
import { suspendedAccount } from './suspended.ts'

/** Issues the tokens of members, and finds the caller that a token identifies. */
export interface Tokens {
  /** Begins a session of the member, and issues the token that stands for it. */
  issue(within: Store, member: MemberRow): Promise<{ token: string; expiresAt: number }>
  /** Null for a token that is not valid; a refusal where the account is suspended or the session idle. */
  callerOf(token: string): Promise<Caller | TrustError | null>
  /** Drops what is cached of this session, of this member, or of all members of this account. */
  invalidate(id: string): void
  /** Reads the keys again, because one was made, replaced or revoked. */
  invalidateKeys(): void
  clear(): void
}

/** A day, as decided; a token for the API is not kept longer than a session at work. */
const TOKEN_MS = DAY_MS

/** Nodes may be reached by several names, and share one key: the issuer is the service, not a name. */
const ISSUER = 'standing'
const AUDIENCE = 'standing'
const TYPE = 'at+jwt'

/** Tokens and sessions that are cached, at some hundred bytes each. */
const CACHED_MAX = 10_000

/** A token is three plain base64url parts; anything else is rejected unread. */
const FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/

export interface TokenOptions {
  readonly store: Store
  /** Sign tokens. */
  readonly keys: SigningKeys
  readonly now: () => number
  readonly newId: () => string
  /** For how long what is known of a session, and of the keys, holds. */
  readonly freshMs: () => number
  /** How long a session may be unused; null for as long as its token lasts. */
  readonly sessionIdleMs: number | null
}

export function createTokens(options: TokenOptions): Tokens {
  const { store, keys, now, newId, sessionIdleMs } = options
  const trusted = createTrustedKeys(options)
  const claimsOf = createVerifier(trusted, now)
  const sessions = createSessionCache(options)
  return {
    async issue(within, { id: memberId, ownerId, tokenEpoch: epoch }) {
      const id = newId()
      const createdAt = now()
      const issuedAt = Math.floor(createdAt / 1000)
      const expires = issuedAt + TOKEN_MS / 1000
      const claims = { ownerId, memberId, sessionId: id, issuedAt, expires }
      const token = await signed(await keys.signing(store), claims)
      const expiresAt = expires * 1000
      const session = { id, memberId, epoch, createdAt, lastUsedAt: createdAt, expiresAt }
      await within.sessions.insert(session)
      return { token, expiresAt }
    },
    async callerOf(token) {
      const claims = await claimsOf(token)
      if (!claims || claims.expiresAt <= now()) {
        return null
      }
      const known = await sessions.get(claims.sessionId)
      if (known?.member.id !== claims.memberId) {
        return null
      }
      const isIdle = known.session.lastUsedAt <= idleBefore(sessionIdleMs, now())
      return isIdle ? idleSession() : callerOf(known)
    },
    invalidate: (id) =>
      sessions.invalidateWhere(({ session, member, owner }) =>
        [session.id, member.id, owner.id].includes(id),
      ),
    invalidateKeys: trusted.clear,
    clear() {
      sessions.clear()
      trusted.clear()
    },
  }
}

function createSessionCache({ store, now, freshMs }: TokenOptions): Cache<KnownSession> {
  return createCache<KnownSession>({
    async read([id = '']) {
      const found = await store.sessions.find({ id })
      const owner = found && (await store.owners.find({ id: found.member.ownerId }))
      return new Map(owner ? [[id, { ...found, owner }]] : [])
    },
    isFresh: (_known, ageMs) => ageMs < freshMs(),
    now,
    sizeMax: CACHED_MAX,
    // No token is known before its session is committed.
    unknownMs: FRESH_DISCONNECTED_MS,
  })
}

/** The keys whose tokens are accepted. */
interface TrustedKeys {
  /** Null for a key that is unknown or revoked. */
  find(kid: string): Promise<CryptoKey | null>
  /** Reads them again. */
  clear(): void
}

function createTrustedKeys({ store, keys, now, freshMs }: TokenOptions): TrustedKeys {
  const cache = createCache<ReadKeys>({
    read: async ([name = '']) => new Map([[name, { at: now(), keys: await keys.trusted(store) }]]),
    isFresh: (_keys, ageMs) => ageMs < freshMs(),
    now,
    sizeMax: 1,
  })
  return {
    async find(kid) {
      let known = await cache.get(ALL_KEYS)
      // Another node may just have made it.
      if (known && !known.keys.has(kid) && now() - known.at >= FRESH_DISCONNECTED_MS) {
        cache.invalidate(ALL_KEYS)
        known = await cache.get(ALL_KEYS)
      }
      return known?.keys.get(kid) ?? null
    },
    clear: () => cache.invalidate(ALL_KEYS),
  }
}

/** The one entry of the cache of keys. */
const ALL_KEYS = 'all'

/** The keys that were not revoked when they were read. */
interface ReadKeys {
  readonly at: number
  readonly keys: ReadonlyMap<string, CryptoKey>
}

/** Verifies each token once. A key may be revoked later, so it is looked up each time. */
function createVerifier(
  trusted: TrustedKeys,
  now: () => number,
): (token: string) => Promise<Claims | null> {
  const verified = createBoundedMap<string, Claims>(CACHED_MAX)
  return async (token) => {
    const known = verified.get(token)
    if (known) {
      return (await trusted.find(known.kid)) && known
    }
    const kid = kidOf(token)
    const key = kid === null ? null : await trusted.find(kid)
    const claims = kid !== null && key ? await verify(token, { kid, key }, now()) : null
    if (claims) {
      verified.set(token, claims)
    }
    return claims
  }
}

interface KnownSession extends MemberSession {
  readonly owner: OwnerRow
}

function callerOf({ session, member, owner }: KnownSession): Caller | TrustError {
  if (owner.status === 'suspended') {
    return suspendedAccount()
  }
  return {
    kind: 'owner',
    ownerId: owner.id,
    tier: owner.tier,
    by: { kind: 'member', id: member.id, sessionId: session.id },
    permissions: PERMISSIONS_OF_ROLE[member.role],
  }
}

interface Claims {
  /** The key that signed. */
  readonly kid: string
  readonly memberId: string
  readonly sessionId: string
  readonly expiresAt: number
}

interface NewClaims {
  readonly ownerId: string
  readonly memberId: string
  readonly sessionId: string
  /** Both in seconds, as tokens have them. */
  readonly issuedAt: number
  readonly expires: number
}

function signed(
  { kid, privateKey }: OpenKey,
  { ownerId, memberId, sessionId, issuedAt, expires }: NewClaims,
): Promise<string> {
  return new SignJWT({ member: memberId })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(ownerId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expires)
    .setJti(sessionId)
    .sign(privateKey)
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
    const { member, jti: sessionId = '', exp = 0 } = payload
    if (typeof member !== 'string') {
      return null
    }
    return { kid, memberId: member, sessionId, expiresAt: exp * 1000 }
  } catch {
    return null
  }
}
