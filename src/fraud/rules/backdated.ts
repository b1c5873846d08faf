import { DAY_MS } from '../../domain/time.ts'
import { knownReporter } from '../profile.ts'
import type { Rule } from '../rule.ts'

/** Reports about this agent, over days, before a reporter is known to report at once. */
const PROMPT_MIN = 30
const DAYS_MIN = 3
const PROMPT_SHARE = 0.95

export const backdated: Rule = {
  id: 'backdated',
  summary: 'An old good event by a reporter that has always reported this agent promptly.',
  severity: 'low',
  mode: 'shadow',
  threshold: {
    value: 7,
    min: 1,
    max: 3_650,
    unit: 'days between the event and its report',
    reason:
      'The score uses the time of receipt, so an old event counts no more than a new one (A8). A queue that was down, or a history that is sent later, looks the same, so the rule is in shadow mode.',
  },
  inspect({ event, profile }, threshold) {
    const lagDays = (event.at - event.occurredAt) / DAY_MS
    if (event.impact !== 'positive' || lagDays < threshold) {
      return null
    }
    const reporter = knownReporter(profile, event.reporter.id)
    if (!reporter || reporter.prompt < PROMPT_MIN || reporter.days < DAYS_MIN) {
      return null
    }
    if (reporter.prompt < PROMPT_SHARE * (reporter.prompt + reporter.late)) {
      return null
    }
    return {
      sentence:
        'The reported time of the event is long ago, but this reporter has always reported promptly.',
      evidence: { lagDays: Math.round(lagDays), prompt: reporter.prompt, late: reporter.late },
    }
  },
}
