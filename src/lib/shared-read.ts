/** Reads, or returns the last result. */
export type SharedRead<T> = () => Promise<T>

export interface SharedReadOptions<T> {
  readonly read: () => Promise<T>
  /** The age up to which a result is returned again when it is requested too often. */
  readonly ageMaxMs: number
  /** Milliseconds of a clock that is never set. */
  readonly steadyNow?: () => number
}

/** The share of all time that may be spent reading, however often the result is asked for. */
const SHARE_MAX = 0.05

/** An occasional request always gets a new result: this much of the share may be spent at once. */
const BURST_MS = 1_000

/**
 * For results that anyone may request without a limit. Simultaneous reads are one, and when reads
 * take more than their share of the time, the last result is returned instead.
 */
export function shareReads<T>({
  read,
  ageMaxMs,
  steadyNow = () => performance.now(),
}: SharedReadOptions<T>): SharedRead<T> {
  let reading: Promise<T> | null = null
  let last: { readonly value: T } | null = null
  /** When the time spent so far is no more than its share. */
  let paidAt = 0

  async function readNow(): Promise<T> {
    const startedAt = steadyNow()
    try {
      const value = await read()
      last = { value }
      return value
    } finally {
      const now = steadyNow()
      const due = Math.max(paidAt, now) + (now - startedAt) / SHARE_MAX
      paidAt = Math.min(due, now + BURST_MS + ageMaxMs)
      reading = null
    }
  }

  return async () => {
    if (reading === null && last !== null && paidAt - steadyNow() > BURST_MS) {
      return last.value
    }
    reading ??= readNow()
    return reading
  }
}
