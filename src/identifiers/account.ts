import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base64url } from '../lib/base64url.ts'
import { decodeBase58 } from './base58.ts'
import { keyOfJwk } from './keys.ts'
import { signerOf } from './signature.ts'

/** The address of Ethereum that signed a message (EIP-191, `personal_sign`); null for no signature. */
export function ethereumSigner(message: string, signature: string): string | null {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) {
    return null
  }
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const v = bytes[64] ?? 0
  // 27 and 28 as wallets write it, 0 and 1 as hardware does.
  const recovery = v >= 27 ? v - 27 : v
  if (recovery > 1) {
    return null
  }
  const recovered = Buffer.concat([Buffer.from([recovery]), bytes.subarray(0, 64)])
  try {
    const compressed = secp256k1.recoverPublicKey(recovered, personalDigest(message), {
      prehash: false,
    })
    const point = secp256k1.Point.fromBytes(compressed).toBytes(false)
    return addressOf(keccak_256(point.subarray(1)))
  } catch {
    return null
  }
}

function personalDigest(message: string): Uint8Array {
  const bytes = Buffer.from(message)
  return keccak_256(
    Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes]),
  )
}

function addressOf(hash: Uint8Array): string {
  return `0x${Buffer.from(hash.subarray(-20)).toString('hex')}`
}

/** Whether an address in mixed case has the checksum of EIP-55; one in a single case has none. */
export function hasGoodChecksum(address: string): boolean {
  const digits = address.slice(2)
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) {
    return true
  }
  const hash = Buffer.from(keccak_256(Buffer.from(digits.toLowerCase()))).toString('hex')
  return [...digits].every((digit, i) => {
    const isUpper = Number.parseInt(hash[i] ?? '0', 16) >= 8
    return digit === (isUpper ? digit.toUpperCase() : digit.toLowerCase())
  })
}

/** The longest base58 texts of 32 and of 64 bytes have 44 and 88 characters. */
const SOLANA_ADDRESS_CHARS_MAX = 44
const SOLANA_SIGNATURE_CHARS_MAX = 88

/** The key that an address of Solana is, 32 bytes; null for another text. */
export function solanaKey(address: string): Uint8Array | null {
  const bytes = address.length <= SOLANA_ADDRESS_CHARS_MAX ? decodeBase58(address) : null
  return bytes?.length === 32 ? bytes : null
}

/** Whether a Solana account signed the challenge: its address is its Ed25519 key. */
export async function isSolanaSigner(
  address: string,
  challenge: string,
  signature: string,
): Promise<boolean> {
  const bytes = solanaKey(address)
  if (bytes === null) {
    return false
  }
  const key = await keyOfJwk({ kty: 'OKP', crv: 'Ed25519', x: base64url(bytes) })
  if (!key) {
    return false
  }
  // Wallets of Solana write signatures in base58.
  const made = signature.length <= SOLANA_SIGNATURE_CHARS_MAX ? decodeBase58(signature) : null
  const text = made?.length === 64 ? base64url(made) : signature
  return signerOf(text, challenge, [key]) !== null
}
