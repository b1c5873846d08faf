import { isPositiveReport } from '../profile.ts'
import type { Rule } from '../rule.ts'

/** Partners who deal with each other have something to complain of now and then. */
const BAD_SHARE_MAX = 0.01

export const ring: Rule = {
  id: 'ring',
  summary: 'Owners whose platforms praise each other’s agents, round in a ring.',
  severity: 'high',
  mode: 'quarantine',
  threshold: {
    value: 60,
    min: 5,
    max: 10_000,
    unit: 'good reports along every link of the ring, and at most one bad in a hundred',
    reason:
      'Each owner alone would weigh a tenth on his own agents; two or three that take turns would not (A2). Real partners have failures too; at 2 in 100, sixty good ones each way without any come about once in ten times.',
  },
  inspect({ event }, threshold) {
    if (!event.ring || !isPositiveReport(event)) {
      return null
    }
    const { owners, goodLeast, bad } = event.ring
    if (goodLeast < threshold || bad > BAD_SHARE_MAX * goodLeast * owners) {
      return null
    }
    return {
      sentence:
        'The owner of this platform and the owner of this agent praise each other’s agents.',
      evidence: { owners, goodLeast, bad },
    }
  },
}
