import type { Rule } from '../rule.ts'

/** Events before there is a form to change from. */
const EVENTS_MIN = 100

export const suddenChange: Rule = {
  id: 'sudden_change',
  summary: 'An agent that is suddenly another: what used to go well goes wrong, or the reverse.',
  severity: 'low',
  mode: 'shadow',
  threshold: {
    value: 0.6,
    min: 0.1,
    max: 1,
    unit: 'difference between the share of good events in the last ten and in the last hundred',
    reason:
      'It may have been sold, broken into or repaired. That is for a human to ask; holding it would shield an agent that turned bad (A5), so the rule only notes.',
  },
  inspect({ event, profile: { form } }, threshold) {
    const change = form.short - form.long
    if (event.self || form.count < EVENTS_MIN || Math.abs(change) < threshold) {
      return null
    }
    return {
      sentence: `What this agent does goes suddenly much ${change > 0 ? 'better' : 'worse'} than before.`,
      evidence: { lately: form.short, before: form.long },
    }
  },
}
