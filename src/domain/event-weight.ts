/** How much one event says: its mass, before anyone asks who said it. */

import { toUsd } from './currency.ts'
import type { EventData, EventType, Severity } from './event.ts'
import { clamp, exp2, log2 } from './math.ts'
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

/** Size of a payment, 0.1 to 3, 1 at 100 dollars. */
export function sizeOf(model: Model, usd: number): number {
  const unit = log2(1 + model.amountUnitUsd / model.amountScaleUsd)
  const size = log2(1 + usd / model.amountScaleUsd) / unit
  return clamp(size, model.amountSizeMin, model.amountSizeMax)
}

/**
 * Mass of an event about work or money: good above zero, bad below.
 * `usualLog2` is log2(1 + dollars) of the agent's usual payment, undefined if none is known.
 */
export function eventWeight(
  model: Model,
  type: EventType,
  data: EventData,
  usualLog2?: number,
): number {
  switch (type) {
    case 'task.completed':
      return model.taskMass.completed
    case 'task.failed':
      return -model.taskMass.failed
    case 'task.timeout':
      return -model.taskMass.timeout
    case 'uptime.report':
      return uptimeMass(model, data.uptimePercentage)
    case 'error.reported':
      return -errorMass(model, data.severity)
    case 'payment.completed':
      return paidSize(model, data)
    case 'payment.failed':
      return -model.paymentFailed * unpaidSize(model, data, usualLog2)
    case 'payment.disputed':
      return -model.paymentDisputed * unpaidSize(model, data, usualLog2)
    case 'payment.late':
      return -lateness(model, data.daysLate) * unpaidSize(model, data, usualLog2)
    case 'credential.issued':
    case 'credential.revoked':
      return 0
  }
}

/** Without a figure, the report itself says that it was up for the most part. */
function uptimeMass(model: Model, percent = 99): number {
  const downMost = 100 - model.uptimeNonePercent
  const downLeast = 100 - model.uptimeFullPercent
  const down = clamp(100 - percent, downLeast, downMost)
  return (model.uptimeMass * log2(downMost / down)) / log2(downMost / downLeast)
}

function errorMass(model: Model, severity: Severity | undefined): number {
  return severity === undefined ? model.errorMassUnknown : model.errorMass[severity]
}

function paidSize(model: Model, data: EventData): number {
  const usd = amountUsd(data)
  return usd > 0 ? sizeOf(model, usd) : model.sizeUnknownGood
}

/** Not below the small size or the usual one, and more if the amount is out of the ordinary. */
function unpaidSize(model: Model, data: EventData, usualLog2: number | undefined): number {
  const usd = amountUsd(data)
  if (usd === 0) {
    return model.sizeUnknownBad
  }
  if (usualLog2 === undefined) {
    return Math.max(model.smallSize, sizeOf(model, usd))
  }
  const least = Math.min(model.smallSize, sizeOf(model, exp2(usualLog2) - 1))
  const doublings = log2(1 + usd) - usualLog2 - model.unusualDoublingsFree
  const unusual = clamp(1 + model.unusualPerDoubling * doublings, 1, model.unusualMax)
  return Math.max(least, sizeOf(model, usd)) * unusual
}

function lateness(model: Model, daysLate: number | undefined): number {
  if (daysLate === undefined || !(daysLate > 0)) {
    return model.lateUnknown
  }
  const doublings = log2(1 + daysLate / model.lateDays)
  return Math.min(model.lateMax, model.lateStart + model.latePerDoubling * doublings)
}
