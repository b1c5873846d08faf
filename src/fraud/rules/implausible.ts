import { amountUsd } from '../../domain/event-weight.ts'
import { DAY_MS } from '../../domain/time.ts'
import type { InspectedEvent, Rule } from '../rule.ts'

/** A task that took longer than the interface can look back, twelve times over. */
const DURATION_MAX_MS = 366 * DAY_MS
/** No monitor waits a day for a response and then reports the agent as up. */
const RESPONSE_MAX_MS = DAY_MS

export const implausible: Rule = {
  id: 'implausible_data',
  summary: 'A value is implausible: the amount of a payment, a duration or a response time.',
  severity: 'medium',
  mode: 'quarantine',
  threshold: {
    value: 1e9,
    min: 1e3,
    max: 1e15,
    unit: 'dollars of one payment',
    reason: 'No agent makes a payment of a billion dollars (attack A20).',
  },
  inspect({ event }, threshold) {
    const usd = amountUsd(event.data)
    if (usd > threshold) {
      return {
        sentence: 'The amount is larger than any payment that an agent makes.',
        evidence: { usd: Math.round(usd) },
      }
    }
    return outOfMeasure(event.data)
  },
}

function outOfMeasure({ duration = 0, responseTimeMs = 0 }: InspectedEvent['data']) {
  if (duration > DURATION_MAX_MS) {
    return {
      sentence: 'The reported duration of the task is more than a year.',
      evidence: { duration },
    }
  }
  if (responseTimeMs > RESPONSE_MAX_MS) {
    return {
      sentence: 'The reported response time is more than a day.',
      evidence: { responseTimeMs },
    }
  }
  return null
}
