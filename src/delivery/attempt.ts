/** The result of one attempt to deliver one notification. */
export interface Attempt {
  /**
   * `delivered`: any 2xx. `gone`: 410, the receiver wants no more. `throttled`: 429, or 502, 503
   * and 504 with a Retry-After. `failed`: everything else, redirects included.
   */
  readonly outcome: 'delivered' | 'failed' | 'gone' | 'throttled'
  /** The HTTP status, or null without a response. */
  readonly status: number | null
  /** One phrase for the owner of the subscription; null where the status is enough. */
  readonly error: string | null
  readonly durationMs: number
  /** The first 1 KiB of the response body as text. */
  readonly responseStart: string
  /** How long the receiver asked the sender to wait, at most a day. */
  readonly retryAfterMs: number | null
}

/** An attempt that has ended. */
export interface EndedAttempt<J> {
  readonly job: J
  readonly attempt: Attempt
  /** Epoch milliseconds. */
  readonly endedAt: number
}
