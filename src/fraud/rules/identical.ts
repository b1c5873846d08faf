import { DIGEST_LENGTH, digestOf } from '../digest.ts'
import { isTimed } from '../profile.ts'
import type { Rule } from '../rule.ts'

/**
 * One reporter reports the same data about the same moment again. Without a stated time
 * two tasks may well look alike, and another `externalId` distinguishes them.
 */
export const identicalEvent: Rule = {
  id: 'identical_event',
  summary: 'The same reporter has already reported the same data for the same time.',
  severity: 'medium',
  mode: 'quarantine',
  threshold: null,
  inspect({ event, profile }) {
    if (!isTimed(event) || !contains(profile.recent, digestOf(event))) {
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

/** Whether a digest is one of those run together: it begins where one of them begins. */
function contains(digests: string, digest: string): boolean {
  let at = digests.indexOf(digest)
  while (at > 0 && at % DIGEST_LENGTH !== 0) {
    at = digests.indexOf(digest, at + 1)
  }
  return at >= 0
}
