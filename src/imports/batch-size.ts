/**
 * Lines in one transaction. The more there are, the less often the rows of the platforms are written, which
 * every batch does; and the longer a report that comes meanwhile waits for them.
 */
export const BATCH_LINES_MIN = 200

/** At some 20 kB an agent, and as much for the states before, these are 20 MB. */
const BATCH_LINES_MAX = 500

/** A report that waits gives up after two seconds: at most a fifth of it. */
const BATCH_MS_MAX = 400

/** Lines of the batch after one of so many lines that took so long. Twice as many must be quick enough too. */
export function linesOfNext(lines: number, ms: number): number {
  if (ms > BATCH_MS_MAX) {
    return Math.max(BATCH_LINES_MIN, Math.floor(lines / 2))
  }
  return 3 * ms < BATCH_MS_MAX
    ? Math.min(BATCH_LINES_MAX, 2 * lines)
    : Math.max(BATCH_LINES_MIN, lines)
}
