import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose'
import { notFound } from '../domain/error.ts'
import type { Vault } from '../lib/vault.ts'
import type { SigningKeyRow, Store } from '../store/store.ts'

export const ALGORITHM = 'EdDSA'

/**
 * What a key signs: `tokens` are those of sign-ins, `test` all that concerns test agents. A key for one
 * purpose is never accepted for another.
 */
export const PURPOSES = ['credentials', 'receipts', 'tokens', 'test'] as const
export type Purpose = (typeof PURPOSES)[number]

/** The keys for one purpose: the active one and those before it. */
export interface SigningKeys {
  readonly purpose: Purpose
  /** The active key, ready to sign. */
  signing(within: Store): Promise<OpenKey>
  inForce(within: Store): Promise<SigningKeyRow>
  /** The public key with this thumbprint, unless it is unknown or revoked. */
  find(within: Store, kid: string): Promise<CryptoKey | null>
  /** The public keys that are not revoked, by their thumbprints. */
  trusted(within: Store): Promise<ReadonlyMap<string, CryptoKey>>
  /** Newest first, including retired and revoked keys. */
  list(within: Store): Promise<readonly SigningKeyRow[]>
  /** Makes a new key active; what the previous key signed stays valid. */
  rotate(within: Store): Promise<SigningKeyRow>
  /**
   * Makes everything that this key signed invalid; an active key is replaced by a new one. A key that is revoked
   * already stays as it is. @throws NOT_FOUND
   */
  revoke(within: Store, kid: string): Promise<Revoked>
}

export interface Revoked {
  readonly key: SigningKeyRow
  /** False where it was revoked before. */
  readonly isNew: boolean
}

export interface OpenKey {
  readonly kid: string
  readonly privateKey: CryptoKey
}

export interface SigningKeysOptions {
  readonly store: Store
  readonly vault: Vault
  readonly now: () => number
}

export async function createSigningKeys(
  options: SigningKeysOptions,
  purpose: Purpose,
): Promise<SigningKeys> {
  const { store, vault, now } = options
  const imported = createImportedKeys(vault)
  const list = (within: Store) => within.signingKeys.findAll({ purpose })

  async function inForce(within: Store): Promise<SigningKeyRow> {
    const key = activeIn(await list(within))
    if (!key) {
      throw new Error(`there is no active key for ${purpose}`)
    }
    return key
  }

  async function rotate(within: Store): Promise<SigningKeyRow> {
    const { kid } = await inForce(within)
    await within.signingKeys.update({ kid, retiredAt: null }, { retiredAt: now() })
    await within.signingKeys.insert(await newKey(options, purpose))
    return inForce(within)
  }

  // When two nodes start at once, the database keeps one of the two keys.
  if (!activeIn(await list(store))) {
    await store.signingKeys.insert(await newKey(options, purpose))
  }
  return {
    purpose,
    list,
    inForce,
    rotate,
    async signing(within) {
      const key = await inForce(within)
      return { kid: key.kid, privateKey: await imported.privateKeyOf(key) }
    },
    async find(within, kid) {
      const key = named(await list(within), kid)
      return key?.revokedAt === null ? imported.publicKeyOf(key) : null
    },
    async trusted(within) {
      const keys = notRevoked(await list(within)).map(
        async (key) => [key.kid, await imported.publicKeyOf(key)] as const,
      )
      return new Map(await Promise.all(keys))
    },
    async revoke(within, kid) {
      const key = named(await list(within), kid)
      if (!key) {
        throw notFound('signing key')
      }
      const change = { revokedAt: now() }
      const isNew = (await within.signingKeys.update({ kid, revokedAt: null }, change)) !== null
      if (isNew && key.retiredAt === null) {
        await rotate(within)
      }
      return { key: named(await list(within), kid) ?? key, isNew }
    },
  }
}

function activeIn(keys: readonly SigningKeyRow[]): SigningKeyRow | undefined {
  return keys.find(({ retiredAt }) => retiredAt === null)
}

function named(keys: readonly SigningKeyRow[], kid: string): SigningKeyRow | undefined {
  return keys.find((key) => key.kid === kid)
}

function notRevoked(keys: readonly SigningKeyRow[]): readonly SigningKeyRow[] {
  return keys.filter(({ revokedAt }) => revokedAt === null)
}

/** Imports each key once. A key never changes; whether it is revoked is read from the database each time. */
function createImportedKeys(vault: Vault) {
  const privateKeys = new Map<string, Promise<CryptoKey>>()
  const publicKeys = new Map<string, Promise<CryptoKey>>()
  return {
    privateKeyOf: ({ kid, sealedPrivate }: SigningKeyRow) =>
      getOrCompute(privateKeys, kid, () => {
        const jwk = vault.open(sealedPrivate, sealedAs(kid))
        return importKey(JSON.parse(Buffer.from(jwk).toString()) as JWK)
      }),
    publicKeyOf: (key: SigningKeyRow) =>
      getOrCompute(publicKeys, key.kid, () => importKey(publicJwk(key))),
  }
}

/** The keys among which this one is. */
export async function holderOf(
  all: readonly SigningKeys[],
  within: Store,
  kid: string,
): Promise<SigningKeys> {
  for (const keys of all) {
    if (named(await keys.list(within), kid)) {
      return keys
    }
  }
  throw notFound('signing key')
}

/** The keys that are not revoked, retired ones included, newest first. */
export async function trustedKeys(
  keys: SigningKeys,
  within: Store,
): Promise<readonly SigningKeyRow[]> {
  return notRevoked(await keys.list(within))
}

export function publicJwk({ publicKey }: SigningKeyRow) {
  return { kty: 'OKP' as const, crv: 'Ed25519' as const, x: publicKey }
}

/** The `kid` that verifiers see: the DID of the service and the thumbprint of the key. */
export function absoluteKid(did: string, kid: string): string {
  return `${did}#${kid}`
}

/** Its id is its thumbprint, which every implementation computes alike (RFC 7638). */
async function newKey(
  { vault, now }: SigningKeysOptions,
  purpose: Purpose,
): Promise<SigningKeyRow> {
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

function getOrCompute<T>(known: Map<string, T>, name: string, make: () => T): T {
  const value = known.get(name) ?? make()
  known.set(name, value)
  return value
}
