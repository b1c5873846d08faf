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

export interface SigningKeyStore {
  /** Newest first. */
  list(purpose: string): Promise<readonly SigningKeyRow[]>
  /** False when another key is in force. */
  insert(key: SigningKeyRow): Promise<boolean>
  /** Retires or revokes a key. False when it was retired or revoked before, or there is none. */
  end(kid: string, how: 'retire' | 'revoke', at: number): Promise<boolean>
}
