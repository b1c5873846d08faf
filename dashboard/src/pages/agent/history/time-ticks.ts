import { DAY_MS, HOUR_MS } from '../../../durations.ts'

export type TickUnit = 'hour' | 'day' | 'month'

/** Times that stand on an axis, and how far apart they are. */
export interface TimeTicks {
  readonly unit: TickUnit
  readonly times: readonly number[]
}

/** Distances that people count in, with their usual length. */
const STEPS = [
  ...[1, 3, 6, 12].map((count) => ({ unit: 'hour', count, ms: count * HOUR_MS }) as const),
  ...[1, 2, 7, 14].map((count) => ({ unit: 'day', count, ms: count * DAY_MS }) as const),
  ...[1, 2, 3, 6, 12].map(
    (count) => ({ unit: 'month', count, ms: count * 30.4 * DAY_MS }) as const,
  ),
]

/** Round times of the reader's zone between two times, `most` of them or a few more. */
export function timeTicks(from: number, to: number, most: number): TimeTicks {
  const step = STEPS.find(({ ms }) => to - from <= most * ms) ?? STEPS[STEPS.length - 1]
  const { unit, count } = step ?? { unit: 'month', count: 12 }
  const first = new Date(from)
  const [year, month, day] = [first.getFullYear(), first.getMonth(), first.getDate()]
  // The constructor carries what is too much, over the change to summer time as well.
  const timeAt = (i: number) => {
    switch (unit) {
      case 'hour':
        return new Date(year, month, day, i * count)
      case 'day':
        return new Date(year, month, day + i * count)
      case 'month':
        return new Date(year, i * count)
    }
  }
  const times: number[] = []
  for (let i = 0; ; i++) {
    const at = timeAt(i).getTime()
    if (at > to) {
      return { unit, times }
    }
    if (at >= from) {
      times.push(at)
    }
  }
}
