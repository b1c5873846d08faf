import { DAY_MS } from '../../../src/domain/time.ts'
import type { AgentPlan } from './plan.ts'

/** The service accepts events of the last 30 days; one day is left for the replay and its repetition. */
const WINDOW_MS = 29 * DAY_MS

/**
 * The time that an event is reported with. The last event of an agent gets the anchor, the earlier ones
 * keep their distance from it; if the agent's period exceeds 29 days, it is scaled down to that.
 *
 * @param t the event's time in the file, in seconds
 * @param anchor milliseconds since the epoch; a repeat needs the same, or the event would be another
 */
export function occurredAt(plan: AgentPlan, t: number, anchor: number): string {
  const spanMs = (plan.to - plan.from) * 1000
  const scale = spanMs > WINDOW_MS ? WINDOW_MS / spanMs : 1
  return new Date(anchor - Math.round((plan.to - t) * 1000 * scale)).toISOString()
}
