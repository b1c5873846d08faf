import type { Groups, Rows } from './rows.ts'

export interface SigningKeyRow {
  /** The thumbprint of the public key (RFC 7638). */
  readonly kid: string
  readonly purpose: string
  /** Ed25519, the `x` of its JWK. */
  readonly publicKey: string
  readonly sealedPrivate: Uint8Array
  readonly createdAt: number
  /** From then on it signs nothing more; what it signed stays valid. */
  readonly retiredAt: number | null
  /** From then on nothing that it signed is valid. */
  readonly revokedAt: number | null
}

export type SigningKeyKey = Pick<SigningKeyRow, 'kid'> &
  Partial<Pick<SigningKeyRow, 'retiredAt' | 'revokedAt'>>

/** Signing keys, the newest first. For each purpose one is in force, which is not retired. */
export type SigningKeyStore = Pick<Rows<SigningKeyRow, SigningKeyKey>, 'insert' | 'update'> &
  Pick<Groups<SigningKeyRow, Pick<SigningKeyRow, 'purpose'>>, 'findAll'>
