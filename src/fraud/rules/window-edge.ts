import type { Rule } from '../rule.ts'
import { atEdge } from '../times.ts'

/** A history that is spread over the window has a hundredth of itself at its edge. */
const EDGE_SHARE = 0.5

export const windowEdge: Rule = {
  id: 'window_edge',
  summary: 'Many events at the limits of the accepted time range.',
  severity: 'low',
  mode: 'shadow',
  threshold: {
    value: 20,
    min: 5,
    max: 10_000,
    unit: 'events with a stated time within 6 hours of the oldest accepted time, or 4 minutes ahead, and half of all events with one',
    reason:
      'Invented times are often at the limits of the accepted range (A8). The score uses the time of receipt, so they gain nothing. A clock that is fast, or sales that are reported when the time for returns has passed, look the same, so the rule is in shadow mode.',
  },
  inspect({ event, profile }, threshold) {
    if (
      !atEdge(event) ||
      profile.timedAtEdge < threshold ||
      profile.timedAtEdge < EDGE_SHARE * profile.timed
    ) {
      return null
    }
    return {
      sentence: 'Many of the reported times are at the limits of the accepted range.',
      evidence: { atEdge: profile.timedAtEdge + 1, ofAll: profile.timed + 1 },
    }
  },
}
