/** What a fault came to. The first five are the interface of `--json`. */
export interface Row {
  readonly fault: string
  readonly acknowledged: number
  readonly lost: number
  readonly doubled: number
  readonly mismatched: number
  /** How often it happened. */
  readonly rounds: number
  /** Requests without an answer, or with a 503, that were sent again. */
  readonly retried: number
  /** Answers that a service may never give. */
  readonly faults: number
  /** The longest time from the end of a fault to twenty acknowledged reports. */
  readonly recoveryMs: number
  /** Why it could not be done here. */
  readonly skipped: string | null
  readonly problems: readonly string[]
}

export const NOTHING: Omit<Row, 'fault'> = {
  acknowledged: 0,
  lost: 0,
  doubled: 0,
  mismatched: 0,
  rounds: 0,
  retried: 0,
  faults: 0,
  recoveryMs: 0,
  skipped: null,
  problems: [],
}
