import { DAY_MS } from '../../../src/domain/time.ts'

/** The service accepts events of the last 30 days; one day is left for the replay and its repetition. */
const WINDOW_MS = 29 * DAY_MS

/**
 * The time that an event is reported with. The last event of an agent gets the anchor, the earlier ones
 * keep their distance from it; if the agent's period exceeds 29 days, it is scaled down to that.
 *
 * @param period of the agent, in seconds, as is `t`, the event's time in the file
 * @param anchor milliseconds since the epoch; a repeat needs the same, or the event would be another
 * @returns milliseconds since the epoch
 */
export function occurredAt(
  period: { readonly from: number; readonly to: number },
  t: number,
  anchor: number,
): number {
  const spanMs = (period.to - period.from) * 1000
  const scale = spanMs > WINDOW_MS ? WINDOW_MS / spanMs : 1
  return anchor - Math.round((period.to - t) * 1000 * scale)
}
