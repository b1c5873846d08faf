import { shapeOf } from '../digest.ts'
import { nearnessOf, withShape } from '../profile.ts'
import type { Rule } from '../rule.ts'

/** Copies without a stated time and a name of their own, each within a day of the one before. */
const UNTIMED_COPIES_MAX = 3

export const nearDuplicate: Rule = {
  id: 'near_duplicate',
  summary: 'The same figures, to the last digit, again and again.',
  severity: 'medium',
  mode: 'quarantine',
  threshold: {
    value: 10,
    min: 2,
    max: 1_000,
    unit: 'copies in a row, each with a stated time within 10 seconds of the one before',
    reason: `A replay with another time or name (A7) is a copy of a figure of four digits or more; ten such by chance were not seen in any real stream. Without a stated time and an externalId, ${UNTIMED_COPIES_MAX} copies within a day of each other are taken, whatever the threshold: give each event an externalId where a fixed price is common. Data without such a figure is left alone.`,
  },
  inspect({ event, profile }, threshold) {
    const nearness = nearnessOf(event)
    if (!nearness) {
      return null
    }
    const shape = shapeOf(event)
    const before = withShape(profile.nearDuplicates, shape)
    const copies = event.occurredAtGiven ? threshold : UNTIMED_COPIES_MAX
    if (!before || before.count < copies) {
      return null
    }
    if (Math.abs(nearness.at - before.at) > nearness.withinMs) {
      return null
    }
    return {
      sentence: event.occurredAtGiven
        ? 'The same figures have been reported over and over for moments close together.'
        : 'The same figures have been reported over and over. Give each event its own externalId if these are different events.',
      evidence: { copies: before.count + 1 },
    }
  },
}
