import { TimeInput } from '../../src/api/wire.ts'

/** `2026-01-01T`: neighbouring lines are mostly of one day, which is then read once. */
const DATE_LENGTH = 11

/** `2026-01-01T06:00:00Z`, and the same with milliseconds. */
const SECONDS_LENGTH = 20
const MILLISECONDS_LENGTH = 24

/**
 * A reader of times as the API takes them: RFC 3339 with any offset. It gives milliseconds since 1970, or
 * null. The usual forms are read ten times as fast as others.
 */
export function createTimes(): (text: string) => number | null {
  let date = ''
  let startsAt = 0

  function parse(text: string): number | null {
    const parsed = TimeInput.safeParse(text)
    if (!parsed.success) {
      return null
    }
    if (text.endsWith('Z')) {
      date = text.slice(0, DATE_LENGTH)
      startsAt = Date.parse(`${date}00:00:00Z`)
    }
    return parsed.data
  }

  return (text) => {
    const inDay = date !== '' && text.startsWith(date) ? millisecondsOfDay(text) : -1
    return inDay < 0 ? parse(text) : startsAt + inDay
  }
}

/** Of a time in one of the usual forms; −1 of any other. */
function millisecondsOfDay(text: string): number {
  const { length } = text
  if (length !== SECONDS_LENGTH && length !== MILLISECONDS_LENGTH) {
    return -1
  }
  const hours = digits(text, 11, 2)
  const minutes = digits(text, 14, 2)
  const seconds = digits(text, 17, 2)
  const milliseconds = length === SECONDS_LENGTH ? 0 : digits(text, 20, 3)
  const isUsual =
    text.charAt(13) === ':' &&
    text.charAt(16) === ':' &&
    (length === SECONDS_LENGTH || text.charAt(19) === '.') &&
    text.charAt(length - 1) === 'Z'
  if (!isUsual || !(hours < 24 && minutes < 60 && seconds < 60 && milliseconds < 1000)) {
    return -1
  }
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds
}

/** Infinity where one of them is no digit. */
function digits(text: string, from: number, count: number): number {
  let value = 0
  for (let i = from; i < from + count; i++) {
    const digit = text.charCodeAt(i) - 48
    value = digit >= 0 && digit <= 9 ? 10 * value + digit : Infinity
  }
  return value
}
