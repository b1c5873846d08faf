import { isPositiveReport } from '../profile.ts'
import type { Rule } from '../rule.ts'

/** A platform that serves others too is no accomplice. */
const EVENTS_MIN = 30
const OWNERS = 2
const OWNERS_SHARE = 0.8
/** Now and then honest platforms report in the same minute; every day they do not. */
const SOLO_SHARE_MAX = 0.2

export const lockStep: Rule = {
  id: 'lock_step',
  summary: 'Three platforms and more that praise an agent in the same minutes, day after day.',
  severity: 'high',
  mode: 'quarantine',
  threshold: {
    value: 5,
    min: 2,
    max: 365,
    unit: 'days on which they did, and at most a fifth without',
    reason:
      'Bought praise comes in lock-step from accounts that do little else (fake stars, arXiv 2412.13459; A2). Only a platform with four fifths of its reports on two owners is held for it: where there are no more owners yet, whoever lets several platforms report in the same minutes each night puts the rule in shadow mode.',
  },
  inspect({ event, profile: { coordination: chorus }, reporter }, threshold) {
    if (!isPositiveReport(event) || chorus.days < threshold) {
      return null
    }
    if (chorus.solo > SOLO_SHARE_MAX * (chorus.days + chorus.solo)) {
      return null
    }
    const counts = reporter.owners.map(({ count }) => count).sort((a, b) => b - a)
    const most = counts.slice(0, OWNERS).reduce((total, count) => total + count, 0)
    if (reporter.events < EVENTS_MIN || most < OWNERS_SHARE * reporter.events) {
      return null
    }
    return {
      sentence: 'Several platforms that do little else praise this agent in the same minutes.',
      evidence: { days: chorus.days, otherDays: chorus.solo, events: reporter.events, most },
    }
  },
}
