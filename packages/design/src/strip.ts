import { el, percent, picture, round } from './svg.ts'
import type { Tier } from './tier.ts'

export interface StripDay {
  /** `2026-05-03` */
  readonly day: string
  readonly good: number
  readonly bad: number
  /** False where the events of that day were not read. */
  readonly isKnown: boolean
}

export interface StripWords {
  readonly whole: string
  day(day: StripDay): string
}

const HEIGHT = 44
const BASE = 30
const BELOW = HEIGHT - BASE - 1

/** The share of good outcomes that each colour begins at, as people read reliability. */
const SHARES: readonly { readonly min: number; readonly tier: Tier }[] = [
  { min: 0.98, tier: 'excellent' },
  { min: 0.93, tier: 'good' },
  { min: 0.85, tier: 'fair' },
  { min: 0.7, tier: 'poor' },
  { min: 0, tier: 'untrusted' },
]

/**
 * A cell for each day: its height is the number of reports, its colour the share of good ones.
 * Bad reports are shown below the base line as well, so that the drawing can be read without colours.
 */
export function drawStrip(days: readonly StripDay[], words: StripWords): string {
  const most = Math.max(1, ...days.map(({ good, bad }) => good + bad))
  const width = 1 / Math.max(1, days.length)
  const height = (count: number, whole: number) =>
    count === 0 ? 0 : round(Math.max(2, (Math.log1p(count) / Math.log1p(most)) * whole))
  const cells = days.map((day, i) => {
    const across = { x: percent((i + 0.1) * width), width: percent(width * 0.8) }
    const up = height(day.good + day.bad, BASE - 2)
    const down = height(day.bad, BELOW)
    return el(
      'g',
      { class: 'strip-day' },
      el('title', {}, words.day(day).replaceAll(/[&<>]/g, '')),
      el('rect', {
        class: 'strip-hit',
        x: percent(i * width),
        y: 0,
        width: percent(width),
        height: HEIGHT,
      }),
      up === 0
        ? el('rect', {
            class: day.isKnown ? 'strip-none' : 'strip-unread',
            ...across,
            y: BASE - 2,
            height: 2,
          })
        : el('rect', {
            class: `strip-cell tier-${tierOf(day)}`,
            ...across,
            y: round(BASE - up),
            height: up,
          }),
      down === 0 ? '' : el('rect', { class: 'strip-bad', ...across, y: BASE + 1, height: down }),
    )
  })
  return picture({ class: 'strip', width: '100%', height: HEIGHT }, words.whole, ...cells)
}

function tierOf({ good, bad }: StripDay): Tier {
  const share = good / (good + bad)
  return SHARES.find(({ min }) => share >= min)?.tier ?? 'untrusted'
}

/** So many events of one day and impact. */
export interface DayCount {
  /** `2026-05-03` */
  readonly day: string
  readonly impact: 'positive' | 'negative' | 'neutral'
  readonly count: number
}

/** The days up to today (UTC), oldest first, filled with what was good and bad on them. */
export function stripDays(
  events: readonly DayCount[],
  options: { readonly now: number; readonly days: number; readonly knownSince: number },
): readonly StripDay[] {
  const { now, days, knownSince } = options
  const counts = new Map<string, { good: number; bad: number }>()
  for (const { day, impact, count } of events) {
    const known = counts.get(day) ?? { good: 0, bad: 0 }
    if (impact === 'positive') {
      known.good += count
    } else if (impact === 'negative') {
      known.bad += count
    }
    counts.set(day, known)
  }
  const firstKnown = dayOf(knownSince)
  return Array.from({ length: days }, (_, i) => {
    const day = dayOf(now - (days - 1 - i) * DAY_MS)
    const { good, bad } = counts.get(day) ?? { good: 0, bad: 0 }
    return { day, good, bad, isKnown: day >= firstKnown }
  })
}

const DAY_MS = 86_400_000

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
