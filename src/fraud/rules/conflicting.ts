import { DIGEST_LENGTH, placeOfEntry } from '../digest.ts'
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
    let place = placeOfEntry(named, opposite, NAMED_LENGTH)
    while (place >= 0) {
      if (!named.startsWith(own, place + DIGEST_LENGTH + 1)) {
        return {
          sentence: 'Another reporter reported the opposite outcome for this externalId.',
          evidence: { externalId: event.externalId ?? '' },
        }
      }
      place = placeOfEntry(named, opposite, NAMED_LENGTH, place + NAMED_LENGTH)
    }
    return null
  },
}
