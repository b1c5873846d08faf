import { dayOf } from '../profile.ts'
import type { Rule } from '../rule.ts'

/** Days before a habit is one. */
const DAYS_MIN = 10
/** So many times its usual day; the busiest honest day of the real streams was seven times. */
const TIMES_USUAL = 20

export const ownBurst: Rule = {
  id: 'burst_own_habit',
  summary: 'Many times the good news of the agent’s usual day.',
  severity: 'medium',
  mode: 'quarantine',
  threshold: {
    value: 100,
    min: 20,
    max: 100_000,
    unit: 'good events in a day, and 20 times the usual, after 10 days with events',
    reason:
      'Days are counted as they are received, so that a history that is sent in at once is no burst. Bad news is never held for coming in numbers.',
  },
  inspect({ event, profile: { days } }, threshold) {
    if (event.impact !== 'positive' || dayOf(event.at) !== days.last) {
      return null
    }
    if (days.active < DAYS_MIN || days.today < Math.max(threshold, TIMES_USUAL * days.usual)) {
      return null
    }
    return {
      sentence: 'There is many times as much good news today as on a usual day of this agent.',
      evidence: { today: days.today + 1, usual: days.usual },
    }
  },
}
