import { dayOf } from '../../domain/time.ts'
import { type BehaviourProfile, paidLog2 } from '../profile.ts'
import type { InspectedEvent, Rule } from '../rule.ts'

/** Days after its return in which a flood still belongs to it. */
const AWAKE_DAYS = 3
/** Days with events before the pause: fewer are no record that could be misused. */
const ACTIVE_MIN = 3
/** Good events of a return to work, as a multiple of the usual ones. */
const TIMES_USUAL = 5
/** The payment that the attack aims at: 3 doublings above the usual, and more than 500 dollars. */
const DOUBLINGS = 3
const USD_LOG2_MIN = 9
const FLOOD_BEFORE_PAYMENT = 10

export const sleeper: Rule = {
  id: 'sleeper',
  summary: 'Many good events after a long time without events, or a large payment after these.',
  severity: 'medium',
  mode: 'shadow',
  threshold: {
    value: 30,
    min: 5,
    max: 10_000,
    unit: 'good events within 3 days after 30 days without events, and 5 times the usual number for this time',
    reason:
      'An account that was kept or bought for one fraud starts with many events (A5). A seasonal business starts in the same way, and an agent that slept gains no more from these events than one that did not, so the rule is in shadow mode.',
  },
  inspect({ event, profile }, threshold) {
    const awake = dayOf(event.at) - profile.reactivatedOn
    if (event.impact !== 'positive' || profile.reactivatedOn < 0 || awake >= AWAKE_DAYS) {
      return null
    }
    if (profile.activeDays < ACTIVE_MIN) {
      return null
    }
    const flood =
      profile.sinceReactivated >= Math.max(threshold, TIMES_USUAL * profile.usualGood * (awake + 1))
    if (!flood && !isLarge(event, profile)) {
      return null
    }
    return {
      sentence: flood
        ? 'There are very many good events after a long time without events.'
        : 'There is a large payment after a long time without events and a series of good ones.',
      evidence: {
        sinceReactivated: profile.sinceReactivated + 1,
        usual: profile.usualGood,
        daysAwake: awake + 1,
      },
    }
  },
}

function isLarge(event: InspectedEvent, profile: BehaviourProfile): boolean {
  const paid = paidLog2(event)
  if (paid === null || paid < USD_LOG2_MIN || profile.sinceReactivated < FLOOD_BEFORE_PAYMENT) {
    return false
  }
  return profile.payments > 0 && paid > profile.paymentMean + DOUBLINGS
}
