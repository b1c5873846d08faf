/** What came of one attempt to deliver one notice. */
export interface Attempt {
  /**
   * `delivered`: any 2xx. `gone`: 410, the receiver wants no more. `throttled`: 429, or 502, 503
   * and 504 with a Retry-After. `failed`: everything else, redirects included.
   */
  readonly outcome: 'delivered' | 'failed' | 'gone' | 'throttled'
  /** The HTTP status, or null where no answer came. */
  readonly status: number | null
  /** One phrase for the owner of the subscription; null where the status says it all. */
  readonly error: string | null
  readonly durationMs: number
  /** The first 1 KiB of the answer's body as text. */
  readonly responseStart: string
  /** How long the receiver asked us to wait, at most a day. */
  readonly retryAfterMs: number | null
}
