import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
} from 'jose'
import type { SigningKeyRow, Store } from '../../store/store.ts'
import type { Context } from '../context.ts'
import { RECEIPT_ALGORITHM, RECEIPT_TYPE, type ReceiptPayload } from './receipt.ts'

/** The key that receipts are signed with, apart from that of credentials: another word, another key. */
export interface ReceiptKeys {
  sign(payload: ReceiptPayload): Promise<string>
}

const PURPOSE = 'receipt'

/** Made when the first receipt is asked for, and shared by all nodes. */
export function createReceiptKeys(context: Context): ReceiptKeys {
  const { store, vault } = context
  const opened = new Map<string, Promise<CryptoKey>>()

  async function inForce(): Promise<SigningKeyRow> {
    const find = async () =>
      (await store.signingKeys.list(PURPOSE)).find(({ retiredAt }) => retiredAt === null)
    const found = await find()
    if (found) return found
    await store.signingKeys.insert(await newKey(context))
    const made = await find()
    if (made) return made
    throw new Error('no receipt key is in force')
  }

  function privateKeyOf({ kid, sealedPrivate }: SigningKeyRow): Promise<CryptoKey> {
    const known = opened.get(kid)
    if (known) return known
    const jwk = Buffer.from(vault.open(sealedPrivate, sealedAs(kid))).toString()
    const key = importJWK(JSON.parse(jwk) as JWK, RECEIPT_ALGORITHM) as Promise<CryptoKey>
    opened.set(kid, key)
    return key
  }

  return {
    async sign(payload) {
      const key = await inForce()
      const header = { alg: RECEIPT_ALGORITHM, kid: key.kid, typ: RECEIPT_TYPE }
      const jwt = new SignJWT({ ...payload }).setProtectedHeader(header)
      return jwt.sign(await privateKeyOf(key))
    },
  }
}

/** Every key that signs or signed receipts, as a JWK Set lists them. */
export async function receiptJwks(store: Store) {
  const keys = await store.signingKeys.list(PURPOSE)
  return keys.map(({ kid, publicKey }) => ({
    kty: 'OKP' as const,
    crv: 'Ed25519' as const,
    x: publicKey,
    kid,
    alg: RECEIPT_ALGORITHM,
    use: 'sig' as const,
  }))
}

/** Named by its thumbprint, which is the same whoever computes it (RFC 7638). */
async function newKey({ vault, now }: Context): Promise<SigningKeyRow> {
  const pair = await generateKeyPair(RECEIPT_ALGORITHM, { crv: 'Ed25519', extractable: true })
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
