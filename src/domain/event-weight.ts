/** How much one event says: its mass, before anyone asks who said it. */
import { toUsd } from './currency.ts'
import type { EventData, EventType, Severity } from './event.ts'
import { clamp, exp2, log2 } from './math.ts'
import * as model from './model.ts'

/** Amounts beyond this are all one: keeps the logarithm finite. */
const AMOUNT_MAX_USD = 1e15

/** Dollars of a payment, or 0 if it names none. */
export function amountUsd(data: EventData): number {
  if (data.amount === undefined || !(data.amount > 0)) {
    return 0
  }
  return Math.min(AMOUNT_MAX_USD, toUsd(data.amount, data.currency))
}

const UNIT_LOG2 = log2(1 + model.AMOUNT_UNIT_USD / model.AMOUNT_SCALE_USD)

/** Size of a payment, 0.1 to 3, 1 at 100 dollars. */
export function sizeOf(usd: number): number {
  const size = log2(1 + usd / model.AMOUNT_SCALE_USD) / UNIT_LOG2
  return clamp(size, model.AMOUNT_SIZE_MIN, model.AMOUNT_SIZE_MAX)
}

/**
 * Mass of an event about work or money: good above zero, bad below.
 * `usualLog2` is log2(1 + dollars) of the agent's usual payment, undefined if none is known.
 */
export function eventWeight(type: EventType, data: EventData, usualLog2?: number): number {
  switch (type) {
    case 'task.completed':
      return model.TASK_MASS.completed
    case 'task.failed':
      return -model.TASK_MASS.failed
    case 'task.timeout':
      return -model.TASK_MASS.timeout
    case 'uptime.report':
      return uptimeMass(data.uptimePercentage)
    case 'error.reported':
      return -errorMass(data.severity)
    case 'payment.completed':
      return paidSize(data)
    case 'payment.failed':
      return -model.PAYMENT_FAILED * unpaidSize(data, usualLog2)
    case 'payment.disputed':
      return -model.PAYMENT_DISPUTED * unpaidSize(data, usualLog2)
    case 'payment.late':
      return -lateness(data.daysLate) * unpaidSize(data, usualLog2)
    case 'credential.issued':
    case 'credential.revoked':
      return 0
  }
}

const DOWN_NONE = 100 - model.UPTIME_NONE_PERCENT
const DOWN_FULL = 100 - model.UPTIME_FULL_PERCENT
const HALVINGS_FULL = log2(DOWN_NONE / DOWN_FULL)

/** Without a figure, the report itself says that it was up for the most part. */
function uptimeMass(percent = 99): number {
  const down = clamp(100 - percent, DOWN_FULL, DOWN_NONE)
  return (model.UPTIME_MASS * log2(DOWN_NONE / down)) / HALVINGS_FULL
}

function errorMass(severity: Severity | undefined): number {
  return severity === undefined ? model.ERROR_MASS_UNKNOWN : model.ERROR_MASS[severity]
}

function paidSize(data: EventData): number {
  const usd = amountUsd(data)
  return usd > 0 ? sizeOf(usd) : model.SIZE_UNKNOWN_GOOD
}

/** Not below the small size or the usual one, and more if the amount is out of the ordinary. */
function unpaidSize(data: EventData, usualLog2: number | undefined): number {
  const usd = amountUsd(data)
  if (usd === 0) {
    return model.SIZE_UNKNOWN_BAD
  }
  if (usualLog2 === undefined) {
    return Math.max(model.SMALL_SIZE, sizeOf(usd))
  }
  const least = Math.min(model.SMALL_SIZE, sizeOf(exp2(usualLog2) - 1))
  const doublings = log2(1 + usd) - usualLog2 - model.UNUSUAL_DOUBLINGS_FREE
  const unusual = clamp(1 + model.UNUSUAL_PER_DOUBLING * doublings, 1, model.UNUSUAL_MAX)
  return Math.max(least, sizeOf(usd)) * unusual
}

function lateness(daysLate: number | undefined): number {
  if (daysLate === undefined || !(daysLate > 0)) {
    return model.LATE_UNKNOWN
  }
  const doublings = log2(1 + daysLate / model.LATE_DAYS)
  return Math.min(model.LATE_MAX, model.LATE_START + model.LATE_PER_DOUBLING * doublings)
}
