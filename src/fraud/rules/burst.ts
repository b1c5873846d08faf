import type { Rule } from '../rule.ts'
import { minuteOf } from '../times.ts'

/**
 * A platform may report for an agent that serves many at once: a hundred times what an agent can
 * do by itself is still beyond anything in the real streams that were measured.
 */
const PLATFORM_FACTOR = 100

export const burst: Rule = {
  id: 'burst',
  summary: 'More events in one minute than an honest agent has.',
  severity: 'medium',
  mode: 'shadow',
  threshold: {
    value: 120,
    min: 10,
    max: 100_000,
    unit: 'self-reported events in one minute; a hundred times as many from platforms',
    reason:
      'Most agents complete a few tasks in a minute, and a fast one completes two in a second. The busiest minute in the real streams had three events about one agent.',
  },
  inspect({ event, profile }, threshold) {
    if (minuteOf(event.occurredAt) !== profile.minuteAt) {
      return null
    }
    const count = event.self ? profile.ownInMinute : profile.platformInMinute
    if (count < (event.self ? threshold : threshold * PLATFORM_FACTOR)) {
      return null
    }
    return {
      sentence: 'The reported number of events in one minute is far higher than an agent can have.',
      evidence: { inThisMinute: count + 1 },
    }
  },
}
