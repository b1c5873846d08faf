import type { AgentPlan } from './plan.ts'

/** The service takes events of the last 30 days; the day between is for the replay and a repeat of it. */
const WINDOW_MS = 29 * 86_400_000

/**
 * When an event is said to have happened: its agent's last one at the anchor, the others as long
 * before it as they were, or all of them moved together where that is more than 29 days. Order stays.
 *
 * @param t the stream's time, in seconds
 * @param anchor milliseconds since the epoch; the same on a repeat, or the event would be another
 */
export function occurredAt(plan: AgentPlan, t: number, anchor: number): string {
  const spanMs = (plan.to - plan.from) * 1000
  const scale = spanMs > WINDOW_MS ? WINDOW_MS / spanMs : 1
  return new Date(anchor - Math.round((plan.to - t) * 1000 * scale)).toISOString()
}
