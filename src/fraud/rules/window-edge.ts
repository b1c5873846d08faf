import { atEdge } from '../profile.ts'
import type { Rule } from '../rule.ts'

/** A history that is spread over the window has a hundredth of itself at its edge. */
const EDGE_SHARE = 0.5

export const windowEdge: Rule = {
  id: 'window_edge',
  summary: 'Events bunched at the very ends of the time that is taken.',
  severity: 'low',
  mode: 'quarantine',
  threshold: {
    value: 20,
    min: 5,
    max: 10_000,
    unit: 'events within 6 hours of the oldest time taken, or 4 minutes ahead, and half of all',
    reason:
      'Times that are made up lie where the service only just takes them (A8). The score goes by the time of receipt, so it is the making up that is caught, not a gain.',
  },
  inspect({ event, profile: { given } }, threshold) {
    if (!atEdge(event) || given.edge < threshold || given.edge < EDGE_SHARE * given.all) {
      return null
    }
    return {
      sentence: 'The times given lie bunched where they are only just taken.',
      evidence: { atEdge: given.edge + 1, ofAll: given.all + 1 },
    }
  },
}
