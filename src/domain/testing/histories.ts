/** Random histories, leaning to the corners of the model. */

import fc from 'fast-check'
import { type EventData, REPORTED_TYPES } from '../event.ts'
import { type CountedEvent, foldEvents } from '../evidence.ts'
import { type Evidence, newEvidence } from '../evidence-state.ts'
import { MODEL } from '../model.ts'
import { DAY_MS, HOUR_MS } from '../time.ts'

export const START = 20_000 * DAY_MS

const amount = fc.oneof(
  fc.constantFrom(0, 0.01, 1, 9, 37, 100, 5000, 1e9, Number.MAX_VALUE),
  fc.double({ min: 0, max: 1000, noNaN: true }),
)

const data: fc.Arbitrary<EventData> = fc.record(
  {
    amount,
    currency: fc.constantFrom('USD', 'JPY', 'KWD', 'XXX'),
    daysLate: fc.constantFrom(0, 1, 7, 30, 400),
    uptimePercentage: fc.constantFrom(0, 80, 95, 97.3, 99, 100),
    severity: fc.constantFrom('low', 'medium', 'high', 'critical'),
    taskClass: fc.constantFrom('code', 'text'),
    counterparty: fc.constantFrom(undefined, undefined, undefined, 'shop', 'bank', 'else'),
  },
  { requiredKeys: [] },
)

/** Milliseconds since the event before: same moment, same day, next days, long after, or before. */
export const wait = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(0, 1000, HOUR_MS) },
  { weight: 2, arbitrary: fc.constantFrom(DAY_MS, 3 * DAY_MS, 40 * DAY_MS) },
  { weight: 1, arbitrary: fc.constantFrom(500 * DAY_MS, -2 * DAY_MS) },
)

/** One event up to ninety times over, because caps and windows fill only in bulk; or a few times a day for
 *  as long as an agent is new. */
export const step = fc.record({
  type: fc.constantFrom(...REPORTED_TYPES),
  data,
  platform: fc.nat(30).map((n) => (n > 5 ? n : n % 3)),
  self: fc.nat(5).map((n) => n === 0),
  wait,
  times: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.nat(90) }),
  days: fc.oneof({ weight: 8, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.nat(60) }),
})

/** Platforms of every standing: two of four are established, one is provisional, one neither. */
export function reporterOf(platform: number, self: boolean) {
  return self
    ? { reporter: 'me', self }
    : {
        reporter: `platform-${platform}`,
        self,
        reporterWeight: [1, 1, 0.5, 0.1][platform % 4] ?? 1,
      }
}

export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

export const history = fc.array(step, { maxLength: 25 })
export const ceiling = fc.constantFrom(1000, 1000, 60, 0)

export function eventsOf(steps: readonly Step[]): CountedEvent[] {
  const events: CountedEvent[] = []
  let at = START
  for (const { type, data, platform, self, wait, times, days } of steps) {
    at = Math.max(START, at + wait)
    const event = { type, data, ...reporterOf(platform, self) }
    for (let day = 0; day < days; day++) {
      if (day > 0) {
        at += DAY_MS
      }
      for (let i = 0; i < (days > 1 ? Math.min(times, 9) : times); i++) {
        events.push({ ...event, at })
      }
    }
  }
  return events
}

export function evidenceOf(steps: readonly Step[], initialCeiling = 1000): Evidence {
  return foldEvents(MODEL, newEvidence(MODEL, START, initialCeiling), eventsOf(steps))
}
