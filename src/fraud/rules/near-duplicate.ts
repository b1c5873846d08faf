import { shapeOf } from '../digest.ts'
import { isDetailed, NEAR_DUPLICATE_MS } from '../profile.ts'
import type { Rule } from '../rule.ts'

export const nearDuplicate: Rule = {
  id: 'near_duplicate',
  summary: 'The same figures, to the last digit, again and again with times seconds apart.',
  severity: 'medium',
  mode: 'quarantine',
  threshold: {
    value: 10,
    min: 2,
    max: 1_000,
    unit: 'copies in a row, each within 10 seconds of the one before',
    reason:
      'A replay with another time or name (A7) is a copy of a figure of four digits or more; ten such by chance were not seen in any real stream. Data without such a figure is left alone, and so are events whose times are not given: a busy agent with one price is no copy.',
  },
  inspect({ event, profile }, threshold) {
    if (!event.occurredAtGiven || !isDetailed(event)) {
      return null
    }
    const shape = shapeOf(event)
    const twin = profile.nearDuplicates.find((one) => one.shape === shape)
    if (!twin || twin.count < threshold) {
      return null
    }
    if (Math.abs(event.occurredAt - twin.at) > NEAR_DUPLICATE_MS) {
      return null
    }
    return {
      sentence: 'The same figures have been reported over and over for moments close together.',
      evidence: { copies: twin.count + 1 },
    }
  },
}
