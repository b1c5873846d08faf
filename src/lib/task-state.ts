/** What a background task of this process did last, and when it is due again. */
export interface TaskState {
  /** As in the metrics. */
  readonly name: string
  readonly everyMs: number
  readonly isRunning: boolean
  /** Milliseconds since the epoch; null for never. */
  readonly startedAt: number | null
  readonly succeededAt: number | null
  readonly nextAt: number
  /** Rounds that failed; each runs again. */
  readonly failures: number
  readonly lastError: { readonly at: number; readonly message: string } | null
}
