import { copiesBefore } from '../copies.ts'
import type { Rule } from '../rule.ts'

export const nearDuplicate: Rule = {
  id: 'near_duplicate',
  summary: 'Repeated events with exactly the same figures.',
  severity: 'medium',
  mode: 'shadow',
  threshold: {
    value: 10,
    min: 2,
    max: 1_000,
    unit: 'copies in a day: each with an occurredAt within 10 seconds of the previous one, or without occurredAt and externalId',
    reason:
      'Copies are recognised by an amount, a duration or a response time of four digits or more (A7). An agent may have one price, so they are not quarantined: the nth copy of a day counts 1/n, independent of the mode and the threshold.',
  },
  inspect({ event, profile }, threshold) {
    const copies = copiesBefore(profile, event)
    if (copies < threshold) {
      return null
    }
    return {
      sentence: 'The same values have been reported repeatedly for times close together.',
      evidence: { copies: copies + 1 },
    }
  },
}
