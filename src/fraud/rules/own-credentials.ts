import { dayOf } from '../profile.ts'
import type { Rule } from '../rule.ts'

export const ownCredentials: Rule = {
  id: 'credential_pumping',
  summary: 'An owner issues credentials to its own agent over and over.',
  severity: 'low',
  mode: 'quarantine',
  threshold: {
    value: 20,
    min: 5,
    max: 10_000,
    unit: 'credentials issued by the agent’s owner in a day',
    reason:
      'Of the owner’s own credentials five count, of different types, each a tenth (A13); beyond twenty a day they are noise in the record.',
  },
  inspect({ event, profile: { days } }, threshold) {
    if (!event.self || event.type !== 'credential.issued') {
      return null
    }
    const today = dayOf(event.at) === days.last ? days.ownCredentials : 0
    if (today < threshold) {
      return null
    }
    return {
      sentence: 'The owner has issued many credentials to this agent today.',
      evidence: { today: today + 1 },
    }
  },
}
