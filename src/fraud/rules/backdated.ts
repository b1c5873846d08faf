import { DAY_MS } from '../../domain/time.ts'
import { knownReporter } from '../profile.ts'
import type { Rule } from '../rule.ts'

/** Reports about this agent, over days, before a reporter is known to report at once. */
const PROMPT_MIN = 30
const DAYS_MIN = 3
const PROMPT_SHARE = 0.95

export const backdated: Rule = {
  id: 'backdated',
  summary: 'Good news from long ago by a reporter that always reported this agent at once.',
  severity: 'low',
  mode: 'quarantine',
  threshold: {
    value: 7,
    min: 1,
    max: 3_650,
    unit: 'days between what happened and its report',
    reason:
      'A history that is sent in at the beginning is honest; one that is found later is worth a look (A8). The score itself goes by the time of receipt, so nothing is gained meanwhile.',
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
        'The event is said to have happened long ago, by a reporter that always reported at once.',
      evidence: { lagDays: Math.round(lagDays), prompt: reporter.prompt, late: reporter.late },
    }
  },
}
