import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import { createRandomPool } from './random-pool.ts'

/** Encrypts and decrypts; `context` binds a ciphertext to the place where it is stored. */
export interface Sealer {
  seal(plain: Uint8Array, context: string): Uint8Array
  open(sealed: Uint8Array, context: string): Uint8Array
}

/** The keys that are derived from the master key of the installation. */
export interface Vault extends Sealer {
  /** A key for one purpose. It reveals nothing of the keys for other purposes. */
  key(purpose: string): Uint8Array
  /** Equal in two processes exactly if they have the same secret, which it does not reveal. */
  readonly checkValue: string
}

/** AES-256-GCM with the nonce length the mode is defined for, and its full tag. */
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The first byte of a ciphertext, so that another format can follow. */
const FORMAT = 1
const FORMAT_BYTE = Uint8Array.of(FORMAT)

export function createVault(secret: Uint8Array): Vault {
  const key = (purpose: string) =>
    new Uint8Array(hkdfSync('sha256', secret, '', `standing ${purpose}`, 32))
  const sealing = key('sealing')
  const nonces = createRandomPool(NONCE_BYTES)
  return {
    key,
    checkValue: createHmac('sha256', key('check')).update('standing').digest('hex'),
    seal(plain, context) {
      const at = nonces.next()
      const nonce = nonces.bytes.subarray(at, at + NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce)
      cipher.setAAD(Buffer.from(context))
      const sealed = cipher.update(plain)
      // It ends the cipher and has no bytes of its own in this mode.
      cipher.final()
      return Buffer.concat([FORMAT_BYTE, nonce, cipher.getAuthTag(), sealed])
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed)
      if (bytes[0] !== FORMAT) {
        throw new Error('sealed in a format that this release does not know')
      }
      const nonce = bytes.subarray(1, 1 + NONCE_BYTES)
      const tag = bytes.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', sealing, nonce)
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(tag)
      const body = bytes.subarray(1 + NONCE_BYTES + TAG_BYTES)
      return Buffer.concat([decipher.update(body), decipher.final()])
    },
  }
}
