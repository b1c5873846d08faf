import { minuteOf } from './habits.ts'
import type { Rule } from './rule.ts'

/**
 * In one minute of its own time an agent finishes a handful of tasks, and two a second when it is
 * fast; a platform may report for an agent that serves many at once, yet two hundred a second is
 * beyond anything in the real streams that were measured.
 */
const SELF_PER_MINUTE_MAX = 120
const PLATFORM_PER_MINUTE_MAX = 12_000

export const burst: Rule = {
  id: 'burst',
  summary: 'More events in one minute than any honest agent has.',
  inspect(event, { minute }) {
    if (minuteOf(event.occurredAt) !== minute.startedAt) return null
    const [count, max] = event.self
      ? [minute.self, SELF_PER_MINUTE_MAX]
      : [minute.platform, PLATFORM_PER_MINUTE_MAX]
    if (count < max) return null
    return `More than ${max} events are said to have happened in the same minute.`
  },
}
