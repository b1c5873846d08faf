import { dayOf } from '../../domain/time.ts'
import type { Rule } from '../rule.ts'

export const selfDealing: Rule = {
  id: 'self_dealing',
  summary:
    'A good event on a day with very many events about the agent by platforms that its owner runs.',
  severity: 'high',
  mode: 'shadow',
  threshold: {
    value: 200,
    min: 10,
    max: 100_000,
    unit: 'events, good and bad, about one agent in a day by its owner’s platforms',
    reason:
      'Such reports have a weight of one tenth and are capped like self-reports, so a flood of them gains nothing (A1). A company may report all the work of its own agents, so the rule is in shadow mode.',
  },
  inspect({ event, profile }, threshold) {
    if (!event.self || event.reporter.kind !== 'platform' || event.impact !== 'positive') {
      return null
    }
    const today = dayOf(event.at) === profile.lastDay ? profile.ownPlatformToday : 0
    if (today < threshold) {
      return null
    }
    return {
      sentence:
        'The owner of this agent also runs the platform that reports very many events about it.',
      evidence: { today: today + 1 },
    }
  },
}
