import { isDistinct } from '../copies.ts'
import { DIGEST_LENGTH, digestOf, placeOfEntry } from '../digest.ts'
import type { Rule } from '../rule.ts'
import { isTimed } from '../times.ts'

/**
 * One reporter reports the same data about the same moment again. Without a stated time
 * two tasks may well look alike, and another `externalId` distinguishes them. So may two of a nightly batch that all have
 * the time of the batch and nothing else: they count as copies.
 */
export const identicalEvent: Rule = {
  id: 'identical_event',
  summary: 'The same reporter has already reported the same data for the same time.',
  severity: 'medium',
  mode: 'quarantine',
  threshold: null,
  inspect({ event, profile }) {
    if (
      !isTimed(event) ||
      !isDistinct(event) ||
      placeOfEntry(profile.recent, digestOf(event), DIGEST_LENGTH) < 0
    ) {
      return null
    }
    return {
      sentence:
        'The same event has been reported before. ' +
        'Give each event its own externalId if these are two different events.',
      evidence: {},
    }
  },
}
