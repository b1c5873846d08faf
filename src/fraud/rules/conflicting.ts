import { DIGEST_LENGTH } from '../digest.ts'
import { NAMED_LENGTH, nameOf, tagOf } from '../profile.ts'
import type { Rule } from '../rule.ts'

export const conflictingReport: Rule = {
  id: 'conflicting_report',
  summary: 'Another reporter reported the opposite outcome of the same task (same externalId).',
  severity: 'medium',
  mode: 'shadow',
  threshold: null,
  inspect({ event, profile: { named } }) {
    const name = nameOf(event)
    if (name === null || event.self) {
      return null
    }
    const opposite = name + (event.impact === 'positive' ? '-' : '+')
    const own = tagOf(event.reporter.id)
    for (let i = named.indexOf(opposite); i >= 0; i = named.indexOf(opposite, i + 1)) {
      if (i % NAMED_LENGTH === 0 && !named.startsWith(own, i + DIGEST_LENGTH + 1)) {
        return {
          sentence: 'Another reporter reported the opposite outcome for this externalId.',
          evidence: { externalId: event.externalId ?? '' },
        }
      }
    }
    return null
  },
}
