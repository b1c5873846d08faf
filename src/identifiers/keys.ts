import {
  type AsymmetricKeyDetails,
  constants,
  createPublicKey,
  ECDH,
  type JsonWebKey,
  type KeyObject,
  verify as verifyBytes,
} from 'node:crypto'
import { calculateJwkThumbprint, type JWK } from 'jose'
import { base64url } from '../lib/base64url.ts'
import { decodeBase58 } from './base58.ts'

/** A public key that may sign for a name. */
export interface PublicKey {
  /** RFC 7638, SHA-256: the same key has the same name everywhere. */
  readonly thumbprint: string
  /** What its publisher calls it. */
  readonly kid: string | null
  readonly key: KeyObject
}

/** The algorithms of JWS by the kind of key, the usual one first. */
interface Algorithm {
  readonly names: readonly string[]
  readonly hash: string | null
  readonly padding?: number
}

const EC_ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  prime256v1: { names: ['ES256'], hash: 'sha256' },
  secp384r1: { names: ['ES384'], hash: 'sha384' },
  secp256k1: { names: ['ES256K'], hash: 'sha256' },
}

const ED25519: Algorithm = { names: ['EdDSA', 'Ed25519'], hash: null }

const RSA: readonly Algorithm[] = [
  { names: ['PS256'], hash: 'sha256', padding: constants.RSA_PKCS1_PSS_PADDING },
  { names: ['RS256'], hash: 'sha256' },
]

/** Breaking a shorter key costs less than a good name may be worth. */
const RSA_BITS_MIN = 2048

/** Longer keys are not in use, and take more time with each signature: 3 ms at 16,384 bits. */
const RSA_BITS_MAX = 4096

/**
 * That of nearly all keys is 65,537. With one as long as its modulus, to check a signature takes 6 ms in place of
 * 0.07, and nothing else runs meanwhile.
 */
const RSA_EXPONENT_MAX = 2n ** 32n

/** The key that a JWK describes; null for one that cannot be used here. */
export async function keyOfJwk(jwk: unknown): Promise<PublicKey | null> {
  const key = keyObjectOf(jwk)
  if (key === null) {
    return null
  }
  const { kid } = jwk as Readonly<Record<string, unknown>>
  const thumbprint = await calculateJwkThumbprint(ownOf(jwk) as JWK)
  return { thumbprint, kid: typeof kid === 'string' ? kid : null, key }
}

/** Whether a JWK describes a key whose signatures can be checked here. */
export function canSign(jwk: unknown): boolean {
  return keyObjectOf(jwk) !== null
}

/** Only what makes the public key: a document may hold more, and must not be believed about its use. */
function ownOf(jwk: unknown): JsonWebKey {
  const { kty, crv, x, y, n, e } = jwk as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries({ kty, crv, x, y, n, e }).filter(([, value]) => typeof value === 'string'),
  )
}

function keyObjectOf(jwk: unknown): KeyObject | null {
  if (typeof jwk !== 'object' || jwk === null) {
    return null
  }
  try {
    const key = createPublicKey({ key: ownOf(jwk), format: 'jwk' })
    return algorithmsOf(key).length === 0 ? null : key
  } catch {
    return null
  }
}

/** The keys of a JWKS document, at most this many: a page of keys is no directory. */
export async function keysOfJwks(document: unknown): Promise<readonly PublicKey[]> {
  const list = (document as { readonly keys?: unknown } | null)?.keys
  const jwks: readonly unknown[] = Array.isArray(list) ? list.slice(0, KEYS_MAX) : []
  return (await Promise.all(jwks.map(keyOfJwk))).filter((key) => key !== null)
}

/** Far more keys than an agent uses at a time. */
const KEYS_MAX = 50

/** The curves of keys, by the names of JOSE and of OpenSSL. */
const CURVES = { 'P-256': 'prime256v1', 'P-384': 'secp384r1', secp256k1: 'secp256k1' } as const

/** The JWK of a compressed point; null for a point that is not on its curve. */
export function jwkOfPoint(compressed: Uint8Array, crv: keyof typeof CURVES): JsonWebKey | null {
  const point = uncompressed(compressed, CURVES[crv])
  if (point === null) {
    return null
  }
  const size = (point.length - 1) / 2
  const [x, y] = [point.subarray(1, 1 + size), point.subarray(1 + size)]
  return { kty: 'EC', crv, x: base64url(x), y: base64url(y) }
}

function uncompressed(bytes: Uint8Array, curve: string): Uint8Array | null {
  try {
    return Buffer.from(
      String(ECDH.convertKey(bytes, curve, undefined, 'hex', 'uncompressed')),
      'hex',
    )
  } catch {
    return null
  }
}

/** The multicodec prefixes of did:key, and the kind of key behind each. */
const CODECS: readonly {
  readonly prefix: readonly number[]
  readonly jwkOf: (bytes: Uint8Array) => JsonWebKey | null
}[] = [
  {
    prefix: [0xed, 0x01],
    jwkOf: (bytes) => ({ kty: 'OKP', crv: 'Ed25519', x: base64url(bytes) }),
  },
  { prefix: [0x80, 0x24], jwkOf: (bytes) => jwkOfPoint(bytes, 'P-256') },
  { prefix: [0x81, 0x24], jwkOf: (bytes) => jwkOfPoint(bytes, 'P-384') },
  { prefix: [0xe7, 0x01], jwkOf: (bytes) => jwkOfPoint(bytes, 'secp256k1') },
]

/** The longest of these keys has 51 bytes, which are 71 characters. */
const MULTIBASE_CHARS_MAX = 100

/** The JWK of a `z…` text: base58btc of a multicodec key; null for another text. */
export function jwkOfMultibase(text: string): JsonWebKey | null {
  if (!text.startsWith('z') || text.length > MULTIBASE_CHARS_MAX) {
    return null
  }
  const bytes = decodeBase58(text.slice(1))
  const codec = CODECS.find(({ prefix }) => prefix.every((byte, i) => bytes?.[i] === byte))
  return bytes && codec ? codec.jwkOf(bytes.subarray(codec.prefix.length)) : null
}

/** Whether the key made this signature over these bytes, by the algorithm if one is named. */
export function isSignedBy(
  { key }: PublicKey,
  bytes: Uint8Array,
  signature: Uint8Array,
  algorithm?: string,
): boolean {
  const fitting = algorithmsOf(key).filter(
    ({ names }) => algorithm === undefined || names.includes(algorithm),
  )
  return fitting.some(({ hash, padding }) => {
    const how = padding === undefined ? {} : { padding, saltLength: 32 }
    return verifyBytes(hash, bytes, { key, dsaEncoding: 'ieee-p1363', ...how }, signature)
  })
}

function algorithmsOf(key: KeyObject): readonly Algorithm[] {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key
  switch (type) {
    case 'ed25519':
      return [ED25519]
    case 'ec':
      return [EC_ALGORITHMS[details?.namedCurve ?? '']].filter((one) => one !== undefined)
    case 'rsa':
      return isUsualRsa(details) ? RSA : []
    default:
      return []
  }
}

function isUsualRsa({
  modulusLength = 0,
  publicExponent = 0n,
}: AsymmetricKeyDetails = {}): boolean {
  const isUsualLength = modulusLength >= RSA_BITS_MIN && modulusLength <= RSA_BITS_MAX
  return isUsualLength && publicExponent <= RSA_EXPONENT_MAX
}
