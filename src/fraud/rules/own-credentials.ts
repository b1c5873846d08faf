import { dayOf } from '../../domain/time.ts'
import type { Rule } from '../rule.ts'

export const ownCredentials: Rule = {
  id: 'credential_pumping',
  summary: 'An owner repeatedly issues credentials to its own agent.',
  severity: 'low',
  mode: 'shadow',
  threshold: {
    value: 20,
    min: 5,
    max: 10_000,
    unit: 'credentials issued by the agent’s owner in a day',
    reason:
      'At most five of the owner’s credentials count, of different types, with a weight of one tenth each, so more of them gain nothing (A13). An owner may issue one for each session, so the rule is in shadow mode.',
  },
  inspect({ event, profile }, threshold) {
    if (!event.self || event.type !== 'credential.issued') {
      return null
    }
    const today = dayOf(event.at) === profile.lastDay ? profile.ownCredentialsToday : 0
    if (today < threshold) {
      return null
    }
    return {
      sentence: 'The owner has issued many credentials to this agent today.',
      evidence: { today: today + 1 },
    }
  },
}
