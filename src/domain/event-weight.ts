/** How much one event says: an observation of weight 1 at most, good above zero, bad below. */

import { toUsd } from './currency.ts'
import { type EventData, type EventType, type Impact, LOG_TYPES } from './event.ts'
import { clamp, exp, log2 } from './math.ts'
import type { Model } from './model.ts'

/** Amounts beyond this are all one: keeps the logarithm finite. */
const AMOUNT_MAX_USD = 1e15

/** Dollars of a payment, or 0 if it names none. */
export function amountUsd(data: EventData): number {
  if (data.amount === undefined || !(data.amount > 0)) {
    return 0
  }
  return Math.min(AMOUNT_MAX_USD, toUsd(data.amount, data.currency))
}

/** The observation that an event is: −1 to 1, whatever its amount. */
export function observationOf(model: Model, type: EventType, data: EventData): number {
  switch (type) {
    case 'task.completed':
      return model.taskObservation.completed
    case 'task.failed':
      return model.taskObservation.failed
    case 'task.timeout':
      return model.taskObservation.timeout
    case 'uptime.report':
      return uptime(model, data.uptimePercentage ?? model.uptimeUnknownPercent)
    case 'error.reported':
      return model.errorObservation[data.severity ?? 'medium']
    case 'payment.completed':
      return model.paymentObservation.completed
    case 'payment.failed':
      return model.paymentObservation.failed
    case 'payment.disputed':
      return model.paymentObservation.disputed
    case 'payment.late':
      return -lateness(model, data.daysLate)
    case 'credential.issued':
    case 'credential.revoked':
    case 'agent.transferred':
    case 'agent.succeeded':
    case 'agent.limited':
    case 'reports.discarded':
      return 0
    case 'child.work_failed':
    case 'child.payment_failed':
      return Math.min(0, data.observation ?? 0)
  }
}

/** Whether an event is good or bad for the agent. Of uptime the figure decides, not the type. */
export function impactOf(model: Model, type: EventType, data: EventData): Impact {
  if (type === 'uptime.report') {
    return observationOf(model, type, data) > 0 ? 'positive' : 'negative'
  }
  return LOG_TYPES[type].impact
}

function uptime(model: Model, percent: number): number {
  const { uptimeNonePercent, uptimeFullPercent, uptimeGoodMax } = model
  if (percent <= uptimeNonePercent) {
    return (percent - uptimeNonePercent) / uptimeNonePercent
  }
  const down = Math.max(100 - percent, 100 - uptimeFullPercent)
  const halvingsMax = log2((100 - uptimeNonePercent) / (100 - uptimeFullPercent))
  return (uptimeGoodMax * log2((100 - uptimeNonePercent) / down)) / halvingsMax
}

function lateness(model: Model, daysLate: number | undefined): number {
  if (daysLate === undefined) {
    return model.lateUnknown
  }
  const doublings = log2(1 + daysLate / model.lateDays)
  const whole = Math.min(model.lateMax, model.lateStart + model.latePerDoubling * doublings)
  return whole * Math.min(1, model.lateAtOnceShare + (1 - model.lateAtOnceShare) * daysLate)
}

/**
 * The observation at work that is harder (above zero) or easier than usual, in logarithms of odds: a
 * failure at hard work counts less, and so does a success at easy work; neither ever counts more.
 */
export function atHardness(model: Model, observation: number, hardness: number): number {
  const limited = clamp(hardness, -model.hardnessMax, model.hardnessMax)
  if (observation < 0 && limited > 0) {
    return observation * oddsAtHardness(model, limited)
  }
  if (observation > 0 && limited < 0) {
    return observation * exp(limited)
  }
  return observation
}

/** By what the odds of success are lower at work of this hardness: 1 for work that is not hard. */
export function oddsAtHardness({ hardnessMax }: Model, hardness: number): number {
  return hardness > 0 ? exp(-Math.min(hardness, hardnessMax)) : 1
}
