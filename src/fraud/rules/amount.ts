import { paidLog2 } from '../profile.ts'
import type { Rule } from '../rule.ts'

/** Payments before the usual one is known. */
const PAYMENTS_MIN = 20
/** So many standard deviations as well, for an agent whose payments differ a lot. */
const DEVIATIONS = 4
/** Below this a payment is no prize, however unusual: log2 of 500 dollars. */
const USD_LOG2_MIN = 9

export const unusualAmount: Rule = {
  id: 'unusual_amount',
  summary: 'A good payment far above all that the agent paid before.',
  severity: 'medium',
  mode: 'quarantine',
  threshold: {
    value: 6,
    min: 1,
    max: 30,
    unit: 'doublings above the usual payment, and 4 standard deviations, after 20 payments',
    reason:
      'Sixty-four times the usual payment at once is how small trades are made to pay for a large fraud (A5, A11). A payment gone wrong is never held for its size: it counts, and the more the larger.',
  },
  inspect({ event, profile: { payments } }, threshold) {
    const paid = paidLog2(event)
    if (paid === null || paid < USD_LOG2_MIN || payments.count < PAYMENTS_MIN) {
      return null
    }
    const room = Math.max(threshold, DEVIATIONS * Math.sqrt(payments.variance))
    if (paid <= payments.mean + room) {
      return null
    }
    return {
      sentence: 'The payment is far larger than any that is usual for this agent.',
      evidence: { usd: dollars(paid), usualUsd: dollars(payments.mean), payments: payments.count },
    }
  },
}

function dollars(log2: number): number {
  return Math.round(2 ** log2 - 1)
}
