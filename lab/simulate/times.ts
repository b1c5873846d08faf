import { TimeInput } from '../../src/api/wire.ts'
import { DAY_MS } from '../../src/domain/time.ts'

/** `2026-01-01T06:00:00Z`, and the same with milliseconds. */
const SECONDS_LENGTH = 20
const MILLISECONDS_LENGTH = 24

/** Of a year without a 29 February. */
const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

/**
 * Reads a time as the API takes it: RFC 3339 with any offset. It gives milliseconds since 1970, or null.
 * The usual forms are read ten times as fast as others.
 */
export function timeOf(text: string): number | null {
  const day = isUsualForm(text) ? startOfDay(text) : Number.NaN
  const time = day + millisecondsOfDay(text)
  return time >= 0 ? time : parse(text)
}

function parse(text: string): number | null {
  const parsed = TimeInput.safeParse(text)
  return parsed.success ? parsed.data : null
}

/** Whether all but the digits is in place. */
function isUsualForm(text: string): boolean {
  const { length } = text
  return (
    (length === SECONDS_LENGTH || (length === MILLISECONDS_LENGTH && text.charAt(19) === '.')) &&
    text.charAt(4) === '-' &&
    text.charAt(7) === '-' &&
    text.charAt(10) === 'T' &&
    text.charAt(13) === ':' &&
    text.charAt(16) === ':' &&
    text.charAt(length - 1) === 'Z'
  )
}

/** Milliseconds since 1970; NaN of what is not a day of the calendar. */
function startOfDay(text: string): number {
  const year = digits(text, 0, 4)
  const month = digits(text, 5, 2)
  const day = digits(text, 8, 2)
  const isLeapDay = month === 2 && day === 29 && isLeapYear(year)
  if (
    !(
      year >= 1970 &&
      year <= 9999 &&
      day >= 1 &&
      (day <= (DAYS_OF_MONTH[month - 1] ?? 0) || isLeapDay)
    )
  ) {
    return Number.NaN
  }
  // Days in years and months before it, by the Gregorian calendar with years that begin in March.
  const shifted = month > 2 ? year : year - 1
  const inMonths = Math.floor((153 * ((month + 9) % 12) + 2) / 5)
  const leapDays = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400)
  return DAY_MS * (365 * shifted + leapDays + inMonths + day - 1 - DAYS_BEFORE_1970)
}

/** From 1 March of the year 0, on which the sum above begins. */
const DAYS_BEFORE_1970 = 719_468

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

/** NaN where one of the figures is out of its range. */
function millisecondsOfDay(text: string): number {
  const hours = digits(text, 11, 2)
  const minutes = digits(text, 14, 2)
  const seconds = digits(text, 17, 2)
  const milliseconds = text.length === SECONDS_LENGTH ? 0 : digits(text, 20, 3)
  const isInRange = hours < 24 && minutes < 60 && seconds < 60 && milliseconds < 1000
  return isInRange ? ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds : Number.NaN
}

/** Beyond every range where one of them is not a digit. */
function digits(text: string, from: number, count: number): number {
  let value = 0
  for (let i = from; i < from + count; i++) {
    const digit = text.charCodeAt(i) - 48
    value = digit >= 0 && digit <= 9 ? 10 * value + digit : NOT_DIGITS
  }
  return value
}

/** Still beyond every range, also as a year, with three digits after it; small enough to be an integer. */
const NOT_DIGITS = 100_000
