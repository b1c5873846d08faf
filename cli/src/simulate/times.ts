import { TimeInput } from '../../../src/api/wire.ts'
import { createBoundedMap } from '../../../src/lib/bounded-map.ts'

/** `2026-01-01T06:00:00Z`, and the same with milliseconds. */
const SECONDS_LENGTH = 20
const MILLISECONDS_LENGTH = 24

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

/** Days whose start is known: that of the line, and those before it that its event may be dated to. */
const DAYS_MAX = 64

/** By the figures of the day, run together. */
const starts = createBoundedMap<number, number>(DAYS_MAX)

/** Milliseconds since 1970; NaN of what is not a day of the calendar. */
function startOfDay(text: string): number {
  const year = digits(text, 0, 4)
  const month = digits(text, 5, 2)
  const day = digits(text, 8, 2)
  if (year < 1970 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31) {
    return Number.NaN
  }
  const figures = (100 * year + month) * 100 + day
  const known = starts.get(figures)
  if (known !== undefined) {
    return known
  }
  const start = startOf(year, month, day)
  starts.set(figures, start)
  return start
}

function startOf(year: number, month: number, day: number): number {
  const start = Date.UTC(year, month - 1, day)
  // A day after the last one of the month is one of the next month.
  return start < Date.UTC(year, month, 1) ? start : Number.NaN
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
