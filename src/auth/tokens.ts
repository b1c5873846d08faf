import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose'
import type { Caller } from '../domain/caller.ts'
import type { TrustError } from '../domain/error.ts'
import { PERMISSIONS_OF_ROLE } from '../domain/permission.ts'
import { DAY_MS } from '../domain/time.ts'
import { createCache } from '../lib/cache.ts'
import type { Vault } from '../lib/vault.ts'
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
  clear(): void
}

/** A day, as decided; a token for the API is not kept longer than a session at work. */
const TOKEN_MS = DAY_MS

const ALGORITHM = 'EdDSA'
/** Nodes may be reached by several names, and share one key: the issuer is the service, not a name. */
const ISSUER = 'standing'
const AUDIENCE = 'standing'
const TYPE = 'at+jwt'

const REMEMBERED_MAX = 10_000

/** A token is three plain base64url parts; anything else is rejected unread. */
const FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/

export interface TokenOptions {
  readonly store: Store
  readonly vault: Vault
  readonly now: () => number
  readonly newId: () => string
  /** For how long what is known of a member holds. */
  readonly freshMs: () => number
}

export async function createTokens(options: TokenOptions): Promise<Tokens> {
  const { store, now, newId, freshMs } = options
  const { privateKey, publicKey } = await signingKey(options)
  const verified = new Map<string, Claims>()
  const members = createCache<AccountMember | null>({
    read: async ([id = '']) => new Map([[id, await store.members.findWithOwner(id)]]),
    isFresh: (known, ageMs) => ageMs < (known === null ? FRESH_DISCONNECTED_MS : freshMs()),
    now,
    sizeMax: REMEMBERED_MAX,
  })

  async function claimsOf(token: string): Promise<Claims | null> {
    const known = verified.get(token)
    if (known) {
      return known
    }
    const claims = await verify(token, publicKey, now())
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
      const issuedAt = Math.floor(now() / 1000)
      const expires = issuedAt + TOKEN_MS / 1000
      const token = await new SignJWT({ member: id, epoch: tokenEpoch })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
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
    clear: () => members.clear(),
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

interface Claims {
  readonly memberId: string
  readonly epoch: number
  readonly expiresAt: number
}

async function verify(token: string, key: CryptoKey, now: number): Promise<Claims | null> {
  if (!FORM.test(token)) {
    return null
  }
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
    return { memberId: member, epoch, expiresAt: exp * 1000 }
  } catch {
    return null
  }
}

const KEY_NAME = 'token_key'

/** The key that all nodes sign with: made by the first, sealed, and read by the others. */
async function signingKey({ store, vault }: TokenOptions) {
  let sealed = await store.installation.get(KEY_NAME)
  if (sealed === null) {
    const pair = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true })
    const jwk = JSON.stringify(await exportJWK(pair.privateKey))
    const bytes = vault.seal(Buffer.from(jwk), KEY_NAME)
    await store.installation.claim(KEY_NAME, Buffer.from(bytes).toString('base64'))
    sealed = (await store.installation.get(KEY_NAME)) ?? ''
  }
  const opened = vault.open(Buffer.from(sealed, 'base64'), KEY_NAME)
  const jwk = JSON.parse(Buffer.from(opened).toString()) as JWK
  const { d: _private, ...publicJwk } = jwk
  return {
    privateKey: (await importJWK(jwk, ALGORITHM)) as CryptoKey,
    publicKey: (await importJWK(publicJwk, ALGORITHM)) as CryptoKey,
  }
}
