import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose'
import type { Signature } from '../../core/credentials.ts'
import { notFound, TrustError } from '../../core/error.ts'
import { didOf, type Payload } from '../../core/verifiable.ts'
import type { SigningKeyRow, Store } from '../../store/store.ts'
import type { Context } from '../context.ts'
import { ALGORITHM, signToken } from './token.ts'

/** The keys that the service signs with, the one in force and those before it. */
export interface SigningKeys {
  /** What signs as whoever serves this address, with the key in force. */
  signer(within: Store, baseUrl: string): Promise<Signer>
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

export type Signer = (payload: Payload) => Promise<Omit<Signature, 'signedAt'>>

const PURPOSE = 'credentials'

export async function createSigningKeys(context: Context): Promise<SigningKeys> {
  const { store, vault, now } = context
  // A key never changes; whether its word holds is asked of the database each time.
  const privateKeys = new Map<string, Promise<CryptoKey>>()
  const publicKeys = new Map<string, Promise<CryptoKey>>()

  const list = (within: Store) => within.signingKeys.list(PURPOSE)
  const inForce = async (within: Store) => {
    const key = (await list(within)).find(({ retiredAt }) => retiredAt === null)
    if (!key) throw new Error('no signing key is in force')
    return key
  }
  const rotate = async (within: Store) => {
    await within.signingKeys.retire(PURPOSE, now())
    await within.signingKeys.insert(await newKey(context))
    return inForce(within)
  }
  const privateKeyOf = ({ kid, sealedPrivate }: SigningKeyRow) =>
    remember(privateKeys, kid, () => {
      const jwk = vault.open(sealedPrivate, sealedAs(kid))
      return importKey(JSON.parse(Buffer.from(jwk).toString()) as JWK)
    })

  const known = await list(store)
  // Where two nodes start at once, one of the two keys is in force and the other is not kept.
  if (!known.some(({ retiredAt }) => retiredAt === null))
    await store.signingKeys.insert(await newKey(context))
  return {
    list,
    inForce,
    rotate,
    async signer(within, baseUrl) {
      const key = await inForce(within)
      const { kid } = key
      const issuer = didOf(baseUrl)
      const privateKey = await privateKeyOf(key)
      return async (payload) => {
        const jwt = await signToken(payload, issuer, { kid, privateKey })
        return { issuer, kid, jwt }
      }
    },
    async find(within, kid) {
      const key = (await list(within)).find((one) => one.kid === kid)
      if (!key || key.revokedAt !== null) return null
      return remember(publicKeys, kid, () => importKey(publicJwk(key)))
    },
    async revoke(within, kid) {
      const key = (await list(within)).find((one) => one.kid === kid)
      if (!key) throw notFound('signing key')
      if (!(await within.signingKeys.revoke(kid, now())))
        throw new TrustError('CONFLICT', 'this key is revoked already', { kid })
      if (key.retiredAt === null) await rotate(within)
      return (await list(within)).find((one) => one.kid === kid) ?? key
    },
  }
}

export function publicJwk({ publicKey }: SigningKeyRow) {
  return { kty: 'OKP', crv: 'Ed25519', x: publicKey }
}

/** Named by its thumbprint, which is the same whoever computes it (RFC 7638). */
async function newKey({ vault, now }: Context): Promise<SigningKeyRow> {
  const pair = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true })
  const jwk = await exportJWK(pair.privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  return {
    kid,
    purpose: PURPOSE,
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
