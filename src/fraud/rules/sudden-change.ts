import type { Rule } from '../rule.ts'

/** Events before the share of good ones is known well enough. */
const EVENTS_MIN = 100

export const suddenChange: Rule = {
  id: 'sudden_change',
  summary: 'The behaviour of an agent has changed suddenly, from good to bad or the reverse.',
  severity: 'low',
  mode: 'shadow',
  threshold: {
    value: 0.6,
    min: 0.1,
    max: 1,
    unit: 'difference between the share of good events in the last ten and in the last hundred',
    reason:
      'The agent may have been sold, compromised or repaired, which a person must find out. Quarantine would protect an agent that has become bad (A5), so the rule is in shadow mode.',
  },
  inspect({ event, profile }, threshold) {
    const change = profile.goodShareShort - profile.goodShareLong
    if (event.self || profile.rated < EVENTS_MIN || Math.abs(change) < threshold) {
      return null
    }
    return {
      sentence: `The results of this agent are suddenly much ${change > 0 ? 'better' : 'worse'} than before.`,
      evidence: { lately: profile.goodShareShort, before: profile.goodShareLong },
    }
  },
}
