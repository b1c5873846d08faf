import { dayOf } from '../../domain/time.ts'
import { knownReporter } from '../profile.ts'
import { octaveOf } from '../reporter-stats.ts'
import type { Rule } from '../rule.ts'

/** Days of agents, before it is known what is usual on this platform. */
const AGENT_DAYS_MIN = 100
/** A day is far from its peers when fewer than one in a hundred had an eighth of its events. */
const PEERS_SHARE = 0.01
const OCTAVES = 3

export const peerBurst: Rule = {
  id: 'burst_peers',
  summary:
    'A good event on a day with far more events than the platform reports about any other agent.',
  severity: 'low',
  mode: 'shadow',
  threshold: {
    value: 64,
    min: 8,
    max: 100_000,
    unit: 'events, good and bad, about one agent by one platform in a day',
    reason:
      'An honest agent may be busier than all others on a platform, so this rule is in shadow mode by default. Turn it on when you know the platforms.',
  },
  inspect({ event, profile, reporter: { reached } }, threshold) {
    const agentDays = reached[0] ?? 0
    if (event.impact !== 'positive' || agentDays < AGENT_DAYS_MIN) {
      return null
    }
    const reporter = knownReporter(profile, event.reporter.id)
    if (reporter?.day !== dayOf(event.at) || reporter.today < threshold) {
      return null
    }
    // This agent's own day is among those counted.
    const peers = (reached[octaveOf(reporter.today) - OCTAVES] ?? 0) - 1
    if (peers > PEERS_SHARE * agentDays) {
      return null
    }
    return {
      sentence:
        'The platform has reported far more events about this agent today than about any other.',
      evidence: { today: reporter.today + 1, peers, agentDays },
    }
  },
}
