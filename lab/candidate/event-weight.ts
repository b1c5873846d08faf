/** How much one event says: an observation of weight 1 at most, good above zero, bad below. */
import { toUsd } from '../../src/domain/currency.ts'
import { clamp, exp, log2 } from '../../src/domain/math.ts'
import type { EventData, EventType, Severity } from './event.ts'

/** A task after a timeout succeeds less often than after a failure (Terminal-Bench: .099, .126). */
const TASK = { 'task.completed': 1, 'task.failed': -0.9, 'task.timeout': -1 } as const

/** The more severe the more. Measured (Upptime): a high one foretells no more than a medium one, so
 *  these lie close together. */
const ERROR: Readonly<Record<Severity, number>> = {
  low: -0.5,
  medium: -0.75,
  high: -0.8,
  critical: -1,
}

/** A failed payment may be technical, a disputed one seldom is; a late one was made. Judgement. */
const PAYMENT = { 'payment.completed': 1, 'payment.failed': -0.9, 'payment.disputed': -1 } as const

/** Late: default follows more often the longer (UCI): a tenth more for every doubling. */
const LATE_START = 0.6
const LATE_PER_DOUBLING = 0.1
const LATE_DAYS = 7
const LATE_MAX = 0.85
const LATE_UNKNOWN = 0.65

/** Mildly positive: nothing at 95 %, half at 99.9 %; each halving of the downtime the same. */
const UPTIME_GOOD = 0.5
const UPTIME_NONE = 95
const UPTIME_FULL = 99.9
/** Without a figure the report says that it was up for the most part. */
const UPTIME_UNKNOWN = 99

const AMOUNT_MAX_USD = 1e15

/** Good above zero, bad below, never more than one. */
export function observationOf(type: EventType, data: EventData): number {
  switch (type) {
    case 'task.completed':
    case 'task.failed':
    case 'task.timeout':
      return TASK[type]
    case 'uptime.report':
      return uptime(data.uptimePercentage ?? UPTIME_UNKNOWN)
    case 'error.reported':
      return ERROR[data.severity ?? 'medium']
    case 'payment.completed':
    case 'payment.failed':
    case 'payment.disputed':
      return PAYMENT[type]
    case 'payment.late':
      return -lateness(data.daysLate)
    case 'credential.issued':
    case 'credential.revoked':
      return 0
  }
}

function uptime(percent: number): number {
  if (percent <= UPTIME_NONE) {
    return (percent - UPTIME_NONE) / UPTIME_NONE
  }
  const down = Math.max(100 - percent, 100 - UPTIME_FULL)
  const halvings = log2((100 - UPTIME_NONE) / (100 - UPTIME_FULL))
  return (UPTIME_GOOD * log2((100 - UPTIME_NONE) / down)) / halvings
}

function lateness(daysLate: number | undefined): number {
  if (daysLate === undefined || !(daysLate > 0)) {
    return LATE_UNKNOWN
  }
  return Math.min(LATE_MAX, LATE_START + LATE_PER_DOUBLING * log2(1 + daysLate / LATE_DAYS))
}

/**
 * The observation at work that is harder (above zero) or easier than usual, in logarithms of odds: a
 * failure at hard work counts less, and so does a success at easy work; neither ever counts more.
 */
export function atHardness(observation: number, hardness: number, hardnessMax: number): number {
  if (hardness === 0) {
    return observation
  }
  const held = clamp(hardness, -hardnessMax, hardnessMax)
  if (observation < 0) {
    return held > 0 ? observation * exp(-held) : observation
  }
  return held < 0 ? observation * exp(held) : observation
}

/** Dollars of a payment, or 0 if it names none. */
export function amountUsd(data: EventData): number {
  if (data.amount === undefined || !(data.amount > 0)) {
    return 0
  }
  return Math.min(AMOUNT_MAX_USD, toUsd(data.amount, data.currency))
}
