import { signal } from '@preact/signals'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../durations.ts'
import { digitsOfProbability } from './digits.ts'
import { locale, t } from './index.ts'

/** The time, as often as words such as "3 minutes ago" have to be written again. */
export const now = signal(Date.now())
const TICK_MS = 20_000
setInterval(() => {
  if (!document.hidden) {
    now.value = Date.now()
  }
}, TICK_MS)

export function number(value: number, digits = 0): string {
  return of(Intl.NumberFormat, { maximumFractionDigits: digits }).format(value)
}

/** With its sign: what was won and what was lost. */
export function signed(value: number, digits = 0): string {
  const options = { maximumFractionDigits: digits, signDisplay: 'exceptZero' } as const
  // A minus is as wide as a figure; the hyphen of the formatter is not.
  return of(Intl.NumberFormat, options).format(value).replace('-', '\u2212')
}

export function share(value: number, digits = 0): string {
  return of(Intl.NumberFormat, { style: 'percent', maximumFractionDigits: digits }).format(value)
}

export function probability(value: number): string {
  return share(value, digitsOfProbability(value))
}

/** Money with its currency; the bare figure where the currency is not known. */
export function money(amount: number, currency: string): string {
  try {
    return of(Intl.NumberFormat, { style: 'currency', currency }).format(amount)
  } catch {
    return `${number(amount, 2)} ${currency}`
  }
}

export function dateTime(at: string | number): string {
  const options = { dateStyle: 'medium', timeStyle: 'medium' } as const
  return of(Intl.DateTimeFormat, options).format(new Date(at))
}

export function date(at: string | number): string {
  return of(Intl.DateTimeFormat, { dateStyle: 'medium' }).format(new Date(at))
}

/** A day of UTC, as `2026-05-03` names it. */
export function day(name: string): string {
  const options = { dateStyle: 'medium', timeZone: 'UTC' } as const
  return of(Intl.DateTimeFormat, options).format(new Date(name))
}

export type TickUnit = 'hour' | 'day' | 'month'

/** A time on an axis, with as much of the date as its neighbours differ in. */
export function tick(at: number, unit: TickUnit): string {
  return of(Intl.DateTimeFormat, TICKS[unit]).format(at)
}

const TICKS: Readonly<Record<TickUnit, Intl.DateTimeFormatOptions>> = {
  hour: { hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: '2-digit' },
}

/** Units of time, from the largest; months and years by their mean length. */
const UNITS = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['week', 604_800_000],
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const

/** The clock of the service may be slightly ahead of the reader's. */
const CLOCK_SKEW_MS = 3_000

/** How long ago, or how long until. 47 hours are "1 day", which is not always "yesterday". */
export function relative(at: string | number): string {
  const ms = new Date(at).getTime() - Math.max(now.value, Date.now())
  const found = UNITS.find(([, length]) => Math.abs(ms) >= length)
  if (!found) {
    return ms <= CLOCK_SKEW_MS ? t.value.common.justNow : t.value.common.soon
  }
  const [unit, length] = found
  return of(Intl.RelativeTimeFormat, {}).format(Math.trunc(ms / length), unit)
}

/** A size in its largest unit that fits: 412 MB. */
export function bytes(value: number): string {
  const [unit, size] = SIZES.find(([, least]) => value >= least) ?? ['byte', 1]
  const options = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const
  return of(Intl.NumberFormat, options).format(value / size)
}

const SIZES = [
  ['gigabyte', 1e9],
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
] as const

/** A span of time in its largest unit that fits: 340 ms, 2.4 s, 3 min. */
export function duration(ms: number): string {
  const unit = (value: number, name: string) =>
    of(Intl.NumberFormat, {
      style: 'unit',
      unit: name,
      unitDisplay: 'narrow',
      maximumFractionDigits: 1,
    }).format(value)
  if (ms < 1_000) {
    return unit(Math.round(ms), 'millisecond')
  }
  if (ms < MINUTE_MS) {
    return unit(ms / 1_000, 'second')
  }
  return ms < HOUR_MS ? unit(ms / MINUTE_MS, 'minute') : unit(ms / HOUR_MS, 'hour')
}

type Formatter<O, F> = new (locale: string, options: O) => F
const made = new Map<string, unknown>()

/** Making one costs as much as a thousand uses of it. */
function of<O, F>(Format: Formatter<O, F>, options: O): F {
  const key = `${Format.name}${locale.value}${JSON.stringify(options)}`
  const known = made.get(key) as F | undefined
  if (known) {
    return known
  }
  const format = new Format(locale.value, options)
  made.set(key, format)
  return format
}
