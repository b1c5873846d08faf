import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose'
import type { Context } from '../context.ts'
import { notFound, TrustError } from '../domain/error.ts'
import type { SigningKeyRow, Store } from '../store/store.ts'

export const ALGORITHM = 'EdDSA'

/** What keys sign. A key of one kind never vouches for the other. */
export const PURPOSES = ['credentials', 'receipts'] as const
export type Purpose = (typeof PURPOSES)[number]

/** The keys that the service signs one kind of thing with, the one in force and those before it. */
export interface SigningKeys {
  readonly purpose: Purpose
  /** The key in force, ready to sign. */
  signing(within: Store): Promise<OpenKey>
  inForce(within: Store): Promise<SigningKeyRow>
  /** A key of ours whose word still holds. */
  find(within: Store, kid: string): Promise<CryptoKey | null>
  /** Newest first, those that were revoked among them. */
  list(within: Store): Promise<readonly SigningKeyRow[]>
  /** From now on another key signs; what was signed before still holds. */
  rotate(within: Store): Promise<SigningKeyRow>
  /** Nothing that this key signed holds from now on; if it is in force, another one takes over. */
  revoke(within: Store, kid: string): Promise<SigningKeyRow>
}

export interface OpenKey {
  readonly kid: string
  readonly privateKey: CryptoKey
}

export async function createSigningKeys(context: Context, purpose: Purpose): Promise<SigningKeys> {
  const { store, vault, now } = context
  // A key never changes; whether its word holds is asked of the database each time.
  const privateKeys = new Map<string, Promise<CryptoKey>>()
  const publicKeys = new Map<string, Promise<CryptoKey>>()

  const list = (within: Store) => within.signingKeys.list(purpose)
  const inForce = async (within: Store) => {
    const key = (await list(within)).find(({ retiredAt }) => retiredAt === null)
    if (!key) {
      throw new Error(`no key for ${purpose} is in force`)
    }
    return key
  }
  const rotate = async (within: Store) => {
    await within.signingKeys.retire(purpose, now())
    await within.signingKeys.insert(await newKey(context, purpose))
    return inForce(within)
  }
  const privateKeyOf = ({ kid, sealedPrivate }: SigningKeyRow) =>
    remember(privateKeys, kid, () => {
      const jwk = vault.open(sealedPrivate, sealedAs(kid))
      return importKey(JSON.parse(Buffer.from(jwk).toString()) as JWK)
    })

  const known = await list(store)
  // Where two nodes start at once, one of the two keys is in force and the other is not kept.
  if (!known.some(({ retiredAt }) => retiredAt === null)) {
    await store.signingKeys.insert(await newKey(context, purpose))
  }
  return {
    purpose,
    list,
    inForce,
    rotate,
    async signing(within) {
      const key = await inForce(within)
      return { kid: key.kid, privateKey: await privateKeyOf(key) }
    },
    async find(within, kid) {
      const key = (await list(within)).find((one) => one.kid === kid)
      if (!key || key.revokedAt !== null) {
        return null
      }
      return remember(publicKeys, kid, () => importKey(publicJwk(key)))
    },
    async revoke(within, kid) {
      const key = (await list(within)).find((one) => one.kid === kid)
      if (!key) {
        throw notFound('signing key')
      }
      if (!(await within.signingKeys.revoke(kid, now()))) {
        throw new TrustError('CONFLICT', 'this key is revoked already', { kid })
      }
      if (key.retiredAt === null) {
        await rotate(within)
      }
      return (await list(within)).find((one) => one.kid === kid) ?? key
    },
  }
}

/** The keys whose word still holds, the retired ones too, newest first. */
export async function trustedKeys(
  keys: SigningKeys,
  within: Store,
): Promise<readonly SigningKeyRow[]> {
  return (await keys.list(within)).filter(({ revokedAt }) => revokedAt === null)
}

export function publicJwk({ publicKey }: SigningKeyRow) {
  return { kty: 'OKP' as const, crv: 'Ed25519' as const, x: publicKey }
}

/** How a key is named to others: by whose it is, and which. */
export function absoluteKid(did: string, kid: string): string {
  return `${did}#${kid}`
}

/** A key as a JWK set lists it. */
export function publishedJwk(did: string, key: SigningKeyRow) {
  return {
    ...publicJwk(key),
    kid: absoluteKid(did, key.kid),
    use: 'sig' as const,
    alg: ALGORITHM as typeof ALGORITHM,
  }
}

/** Named by its thumbprint, which is the same whoever computes it (RFC 7638). */
async function newKey({ vault, now }: Context, purpose: Purpose): Promise<SigningKeyRow> {
  const pair = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true })
  const jwk = await exportJWK(pair.privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  return {
    kid,
    purpose,
    publicKey: jwk.x ?? '',
    sealedPrivate: vault.seal(Buffer.from(JSON.stringify(jwk)), sealedAs(kid)),
    createdAt: now(),
    retiredAt: null,
    revokedAt: null,
  }
}

function sealedAs(kid: string): string {
  return `signing key ${kid}`
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  return (await importJWK(jwk, ALGORITHM)) as CryptoKey
}

function remember<T>(known: Map<string, T>, name: string, make: () => T): T {
  const value = known.get(name) ?? make()
  known.set(name, value)
  return value
}
