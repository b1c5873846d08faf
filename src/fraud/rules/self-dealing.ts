import { dayOf } from '../profile.ts'
import type { Rule } from '../rule.ts'

export const selfDealing: Rule = {
  id: 'self_dealing',
  summary: 'A flood of good news about an agent by a platform that its own owner runs.',
  severity: 'high',
  mode: 'quarantine',
  threshold: {
    value: 200,
    min: 10,
    max: 100_000,
    unit: 'events about one agent in a day by its owner’s platform',
    reason:
      'Such reports weigh a tenth and are capped like self-reports, so honest ones need no holding; a flood has no purpose but the score (A1).',
  },
  inspect({ event, profile: { days } }, threshold) {
    if (!event.self || event.reporter.kind !== 'platform' || event.impact !== 'positive') {
      return null
    }
    const today = dayOf(event.at) === days.last ? days.ownPlatform : 0
    if (today < threshold) {
      return null
    }
    return {
      sentence: 'The owner of this agent also runs the platform that praises it in such numbers.',
      evidence: { today: today + 1 },
    }
  },
}
