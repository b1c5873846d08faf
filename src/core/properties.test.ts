/** What holds for every history. The histories are random, and lean to the corners of the model. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EVENT_TYPES, type EventData, type EventType } from './events.ts'
import {
  addEvent,
  type CountedEvent,
  decodeEvidence,
  type Evidence,
  encodeEvidence,
  foldEvents,
  newEvidence,
} from './evidence.ts'
import { assess, scoreAt } from './score.ts'

const DAY_MS = 86_400_000
const START = 20_000 * DAY_MS

const types = Object.keys(EVENT_TYPES) as EventType[]

const amount = fc.oneof(
  fc.constantFrom(0, 0.01, 1, 9, 37, 100, 5000, 1e9, Number.MAX_VALUE),
  fc.double({ min: 0, max: 1000, noNaN: true }),
)

const data: fc.Arbitrary<EventData> = fc.record(
  {
    amount,
    currency: fc.constantFrom('USD', 'JPY', 'KWD', 'XXX'),
    daysLate: fc.constantFrom(0, 1, 7, 30, 400),
    uptimePercentage: fc.constantFrom(0, 95, 97.3, 99, 100),
    severity: fc.constantFrom('low', 'medium', 'high', 'critical'),
  },
  { requiredKeys: [] },
)

/** Milliseconds since the event before: same moment, same day, next days, long after, or before. */
const wait = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(0, 1000, 3_600_000) },
  { weight: 2, arbitrary: fc.constantFrom(DAY_MS, 3 * DAY_MS, 40 * DAY_MS) },
  { weight: 1, arbitrary: fc.constantFrom(500 * DAY_MS, -2 * DAY_MS) },
)

/** The same event up to ninety times over: caps and windows fill only in bulk. */
const step = fc.record({
  type: fc.constantFrom(...types),
  data,
  platform: fc.nat(30).map((n) => (n > 5 ? n : n % 3)),
  self: fc.nat(5).map((n) => n === 0),
  wait,
  times: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.nat(90) }),
})

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const history = fc.array(step, { maxLength: 25 })
const ceiling = fc.constantFrom(1000, 1000, 60, 0)

function eventsOf(steps: readonly Step[]): CountedEvent[] {
  const events: CountedEvent[] = []
  let at = START
  for (const { type, data, platform, self, wait, times } of steps) {
    at = Math.max(START, at + wait)
    const event = { type, data, reporter: self ? 'me' : `platform-${platform}`, self, at }
    for (let i = 0; i < times; i++) events.push(event)
  }
  return events
}

function evidenceOf(steps: readonly Step[], startsAtMost = 1000): Evidence {
  return foldEvents(newEvidence(START, startsAtMost), eventsOf(steps))
}

/** The last bit of a sum may fall either way; a real step is a billion times larger. */
const DUST = 1e-9

describe('one more event, at the same instant', () => {
  const property = (
    impact: 'positive' | 'negative',
    holds: (before: number, after: number) => boolean,
  ) =>
    fc.property(
      history,
      ceiling,
      step,
      (steps, startsAtMost, { type, data, platform, self, wait }) => {
        fc.pre(EVENT_TYPES[type].impact === impact)
        const evidence = evidenceOf(steps, startsAtMost)
        const at = evidence.at + Math.max(0, wait)
        const event = { type, data, reporter: self ? 'me' : `platform-${platform}`, self, at }
        const more = addEvent(evidence, event)
        return (
          holds(assess(evidence, at).whole, assess(more, at).whole) &&
          holds(scoreAt(evidence, at).score, scoreAt(more, at).score)
        )
      },
    )

  test('never lowers the score if it is good', () => {
    fc.assert(
      property('positive', (before, after) => after >= before - DUST),
      { numRuns: 6000 },
    )
  })

  test('never raises the score if it is bad', () => {
    fc.assert(
      property('negative', (before, after) => after <= before + DUST),
      { numRuns: 6000 },
    )
  })
})

test('every figure stays in its range, whatever happened and however late one looks', () => {
  fc.assert(
    fc.property(history, ceiling, wait, (steps, startsAtMost, wait) => {
      const evidence = evidenceOf(steps, startsAtMost)
      const { score, interval, breakdown } = scoreAt(evidence, evidence.at + wait)
      const parts = Object.values(breakdown)
      const figures = [interval.low, score, interval.high]
      expect(figures).toEqual([...figures].sort((a, b) => a - b))
      for (const figure of [...figures, ...parts.map((part) => part.score)]) {
        expect(Number.isInteger(figure) && figure >= 0 && figure <= 1000).toBe(true)
      }
      const weights = parts.reduce((sum, part) => sum + part.effectiveWeight, 0)
      expect(weights).toBeCloseTo(1, 9)
    }),
    { numRuns: 500 },
  )
})

test('evidence survives its text to the last bit, and folds on as if never written down', () => {
  fc.assert(
    fc.property(history, history, (before, after) => {
      const evidence = evidenceOf(before)
      const read = decodeEvidence(encodeEvidence(evidence))
      expect(read).toStrictEqual(evidence)
      const more = eventsOf(after)
      expect(foldEvents(read, more)).toStrictEqual(foldEvents(evidence, more))
    }),
    { numRuns: 500 },
  )
})

test('adding one by one is folding all, and changes nothing that was there', () => {
  fc.assert(
    fc.property(history, (steps) => {
      let evidence = newEvidence(START)
      for (const event of eventsOf(steps)) {
        const before = encodeEvidence(evidence)
        const after = addEvent(evidence, event)
        expect(encodeEvidence(evidence)).toBe(before)
        evidence = after
      }
      expect(evidence).toStrictEqual(evidenceOf(steps))
    }),
    { numRuns: 100 },
  )
})

test('looking at the score, now or later, changes no evidence', () => {
  fc.assert(
    fc.property(history, wait, (steps, wait) => {
      const evidence = evidenceOf(steps)
      const before = encodeEvidence(evidence)
      scoreAt(evidence, evidence.at + wait)
      expect(encodeEvidence(evidence)).toBe(before)
    }),
    { numRuns: 200 },
  )
})
