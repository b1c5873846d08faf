import type { Rows } from './rows.ts'

/** A response stored for a repeated request: `sealed` is encrypted, the rest are hashes. */
export interface StoredResponse {
  readonly scope: Uint8Array
  readonly fingerprint: Uint8Array
  readonly sealed: Uint8Array
  readonly expiresAt: number
}

export type ResponseKey = Pick<StoredResponse, 'scope'>

/** Names a response to a report. The scope has the agent in it: one scope is always the same agent's. */
export interface ReportKey {
  readonly agentId: string
  readonly scope: Uint8Array
}

/** The response to a report, stored on the shard of its agent. */
export interface ReportResponse extends StoredResponse, ReportKey {}

/** A response is inserted under a key that its transaction has reserved. */
export interface IdempotencyStore extends Pick<Rows<StoredResponse, ResponseKey>, 'insert'> {
  /**
   * Reserves the key until the transaction ends. Answers the response stored under it, or `busy` when
   * another request has it reserved.
   */
  reserve(scope: Uint8Array, now: number): Promise<StoredResponse | 'busy' | null>
}
