import { type CryptoKey, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import type { Caller } from '../domain/caller.ts'
import type { TrustError } from '../domain/error.ts'
import { PERMISSIONS_OF_ROLE } from '../domain/permission.ts'
import { DAY_MS } from '../domain/time.ts'
import { createBoundedMap } from '../lib/bounded-map.ts'
import { createCache } from '../lib/cache.ts'
import { ALGORITHM, type SigningKeys } from '../signing/keys.ts'
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
  const { store, keys, now, newId, freshMs, sessionIdleMs } = options
  const verified = createBoundedMap<string, Claims>(CACHED_MAX)
  const sessions = createCache<KnownSession>({
    async read([id = '']) {
      const found = await store.sessions.find(id)
      const owner = found && (await store.owners.find(found.member.ownerId))
      return new Map(owner ? [[id, { ...found, owner }]] : [])
    },
    isFresh: (_known, ageMs) => ageMs < freshMs(),
    now,
    sizeMax: CACHED_MAX,
    // No token is known before its session is committed.
    unknownMs: FRESH_DISCONNECTED_MS,
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
    verified.set(token, claims)
    return claims
  }

  return {
    async issue(within, { id: memberId, ownerId, tokenEpoch: epoch }) {
      const { kid, privateKey } = await keys.signing(store)
      const id = newId()
      const createdAt = now()
      const issuedAt = Math.floor(createdAt / 1000)
      const expires = issuedAt + TOKEN_MS / 1000
      const token = await new SignJWT({ member: memberId })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(ownerId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expires)
        .setJti(id)
        .sign(privateKey)
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
    invalidateKeys: () => trusted.invalidate(TRUSTED),
    clear() {
      sessions.clear()
      trusted.clear()
    },
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
  readonly sessionId: string
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
    const { member, jti: sessionId = '', exp = 0 } = payload
    if (typeof member !== 'string') {
      return null
    }
    return { kid, memberId: member, sessionId, expiresAt: exp * 1000 }
  } catch {
    return null
  }
}
