import { shapeOf } from '../digest.ts'
import { nearnessOf, placeOfShape } from '../profile.ts'
import type { Rule } from '../rule.ts'

/**
 * Copies a day without a stated time and a name of their own. An agent may have one price, and these are few enough
 * for a replay to gain next to nothing: judgement between honest prices and row 14 of docs/attacks.md.
 */
const UNTIMED_COPIES_MAX = 5

export const nearDuplicate: Rule = {
  id: 'near_duplicate',
  summary: 'Repeated events with exactly the same values.',
  severity: 'medium',
  mode: 'quarantine',
  threshold: {
    value: 10,
    min: 2,
    max: 1_000,
    unit: 'consecutive copies, each with an occurredAt within 10 seconds of the previous one',
    reason: `A replay with another time or externalId (A7) copies a value of four digits or more; no real stream had ten such copies by chance. Of events without occurredAt and externalId, ${UNTIMED_COPIES_MAX} copies a day are accepted, independent of the threshold: set an externalId on each event if one price is paid more often. The rule ignores data without such a value, and uptimePercentage.`,
  },
  inspect({ event, profile }, threshold) {
    const nearness = nearnessOf(event)
    if (!nearness) {
      return null
    }
    const { nearDuplicates } = profile
    const place = placeOfShape(nearDuplicates, shapeOf(event))
    if (place === nearDuplicates.length) {
      return null
    }
    const at = nearDuplicates[place + 1] as number
    const count = nearDuplicates[place + 2] as number
    const copies = event.occurredAtGiven ? threshold : UNTIMED_COPIES_MAX
    if (count < copies || Math.abs(nearness.at - at) > nearness.withinMs) {
      return null
    }
    return {
      sentence: event.occurredAtGiven
        ? 'The same values have been reported repeatedly for times close together.'
        : 'The same values have been reported repeatedly. Give each event its own externalId if these are different events.',
      evidence: { copies: count + 1 },
    }
  },
}
