import { isDistinct } from '../copies.ts'
import { DIGEST_LENGTH, digestOf, isOfBatch, placeOfEntry } from '../digest.ts'
import type { InspectedEvent, Rule } from '../rule.ts'
import { isTimed } from '../times.ts'

/**
 * One reporter reports the same data about the same moment again. Without a stated time
 * two tasks may well look alike, and another `externalId` distinguishes them. So may two of a nightly batch that all have
 * the time of the batch: they count as copies. A reporter sends such batches if it gave one time to several events, or if
 * its events say nothing else.
 */
export const identicalEvent: Rule = {
  id: 'identical_event',
  summary: 'The same reporter has already reported the same data for the same time.',
  severity: 'medium',
  mode: 'quarantine',
  threshold: null,
  inspect({ event, profile: { recent } }) {
    if (!isTimed(event) || !isDistinct(event) || !isRepeated(event, recent)) {
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

function isRepeated(event: InspectedEvent, recent: string): boolean {
  const digest = digestOf(event)
  return placeOfEntry(recent, digest, DIGEST_LENGTH) >= 0 && !isOfBatch(recent, digest)
}
