/** A response stored for a repeated request: `sealed` is encrypted, the rest are hashes. */
export interface StoredResponse {
  readonly scope: Uint8Array
  readonly fingerprint: Uint8Array
  readonly sealed: Uint8Array
  readonly expiresAt: number
}

export interface IdempotencyStore {
  /**
   * Reserves the key until the transaction ends. Answers the response stored under it, or `busy` when
   * another request has it reserved.
   */
  reserve(scope: Uint8Array, now: number): Promise<StoredResponse | 'busy' | null>
  store(response: StoredResponse): Promise<void>
}
