import fc from 'fast-check'
import { expect, test } from 'vitest'
import { attribute } from './attribution.ts'
import { decodeEvidence, encodeEvidence } from './codec.ts'
import type { EventData, EventType } from './event.ts'
import { addEvent, type CountedEvent, foldEvents, newEvidence } from './evidence.ts'
import { MODEL } from './model.ts'
import { assess, scoreAt } from './score.ts'

const START = 20_000 * 86_400_000
const HOUR_MS = 3_600_000

/** From worse to better, in each family of events about one fact. */
const FAMILIES: readonly (readonly (readonly [EventType, EventData])[])[] = [
  [
    ['task.timeout', {}],
    ['task.failed', {}],
    ['task.completed', {}],
  ],
  [
    ['error.reported', { severity: 'critical' }],
    ['error.reported', { severity: 'high' }],
    ['error.reported', { severity: 'medium' }],
    ['error.reported', { severity: 'low' }],
  ],
  [
    ['uptime.report', { uptimePercentage: 0 }],
    ['uptime.report', { uptimePercentage: 80 }],
    ['uptime.report', { uptimePercentage: 95 }],
    ['uptime.report', { uptimePercentage: 100 }],
  ],
  [
    ['payment.disputed', { amount: 50, currency: 'USD' }],
    ['payment.failed', { amount: 50, currency: 'USD' }],
    ['payment.late', { amount: 50, currency: 'USD', daysLate: 60 }],
    ['payment.late', { amount: 50, currency: 'USD', daysLate: 2 }],
    ['payment.completed', { amount: 50, currency: 'USD' }],
  ],
]

const EVENTS = FAMILIES.flat()
const WEIGHTS = [1, 0.5, 0.1] as const

interface Step {
  readonly event: number
  readonly reporter: number
  readonly hours: number
}

const steps = fc.array(
  fc.record({
    event: fc.nat(EVENTS.length - 1),
    reporter: fc.nat(11),
    hours: fc.nat(60),
  }),
  { minLength: 1, maxLength: 150 },
)

function reported(type: EventType, data: EventData, reporter: number, at: number): CountedEvent {
  return {
    type,
    data,
    reporter: `platform-${reporter}`,
    self: false,
    reporterWeight: WEIGHTS[reporter % WEIGHTS.length] ?? 1,
    at,
  }
}

function eventsOf(stream: readonly Step[]): readonly CountedEvent[] {
  let at = START
  return stream.map(({ event, reporter, hours }) => {
    at += hours * HOUR_MS
    const [type, data] = EVENTS[event] ?? ['task.completed', {}]
    return reported(type, data, reporter, at)
  })
}

/** Points to the millionth: sums of doubles in another order differ in their last bits. */
function toMillionths(points: number): number {
  return Math.round(points * 1e6) / 1e6
}

test('a better report in place of a worse one never lowers the score', () => {
  fc.assert(
    fc.property(steps, fc.nat(11), (stream, reporter) => {
      const events = eventsOf(stream)
      const at = events.at(-1)?.at ?? START
      const evidence = foldEvents(MODEL, newEvidence(MODEL, START), events)
      for (const family of FAMILIES) {
        const scores = family.map(([type, data]) => {
          const next = addEvent(MODEL, evidence, reported(type, data, reporter, at))
          return toMillionths(assess(MODEL, next, at).whole)
        })
        expect(scores).toEqual([...scores].sort((a, b) => a - b))
      }
    }),
    { seed: 20261121, numRuns: 1_000 },
  )
})

test('a completed task never lowers the score and a failed one never raises it', () => {
  fc.assert(
    fc.property(steps, fc.nat(11), (stream, reporter) => {
      const events = eventsOf(stream)
      const at = events.at(-1)?.at ?? START
      const evidence = foldEvents(MODEL, newEvidence(MODEL, START), events)
      const { whole } = assess(MODEL, evidence, at)
      const after = (type: EventType) =>
        toMillionths(
          assess(MODEL, addEvent(MODEL, evidence, reported(type, {}, reporter, at)), at).whole,
        )
      expect(after('task.completed')).toBeGreaterThanOrEqual(toMillionths(whole))
      expect(after('task.failed')).toBeLessThanOrEqual(toMillionths(whole))
    }),
    { seed: 20261121, numRuns: 2_000 },
  )
})

test('evidence survives its encoding exactly, and contributions sum to the score', () => {
  fc.assert(
    fc.property(steps, (stream) => {
      const events = eventsOf(stream)
      const start = newEvidence(MODEL, START)
      const at = (events.at(-1)?.at ?? START) + 40 * 86_400_000
      const evidence = foldEvents(MODEL, start, events)
      expect(decodeEvidence(MODEL, encodeEvidence(evidence))).toEqual(evidence)
      const {
        start: from,
        time,
        contributions,
        score,
      } = attribute(MODEL, start, events, at, ({ type }) => type)
      expect(from).toBe(100)
      expect(contributions.reduce((sum, { points }) => sum + points, from + time)).toBe(score)
      expect(scoreAt(MODEL, evidence, at).score).toBe(score)
    }),
    { seed: 20261121, numRuns: 300 },
  )
})

test('two of eleven platforms move an honest agent by at most 120 points, one outsider by at most 60', () => {
  const honest = Array.from({ length: 180 }, (_, day) =>
    Array.from({ length: 9 }, (_, i) => ({
      ...reported(
        (day * 9 + i) % 33 === 0 ? 'task.failed' : 'task.completed',
        {},
        i,
        START + day * 24 * HOUR_MS,
      ),
      reporterWeight: 1,
    })),
  ).flat()
  const evidence = foldEvents(MODEL, newEvidence(MODEL, START), honest)
  const at = START + 180 * 24 * HOUR_MS
  const slander = (reporter: number, reporterWeight: number) =>
    Array.from({ length: 60 }, () => ({
      ...reported('task.failed', {}, reporter, at),
      reporterWeight,
    }))
  const { score } = scoreAt(MODEL, evidence, at)
  const byTwo = foldEvents(MODEL, evidence, [...slander(20, 1), ...slander(21, 1)])
  const byOutsider = foldEvents(MODEL, evidence, slander(22, 0.1))
  expect(score).toBeGreaterThanOrEqual(650)
  expect(scoreAt(MODEL, byTwo, at).score).toBeGreaterThanOrEqual(score - 120)
  expect(scoreAt(MODEL, byOutsider, at).score).toBeGreaterThanOrEqual(score - 60)
})

test('a new agent stands at 100 and self-reports alone leave it untrusted', () => {
  const start = newEvidence(MODEL, START)
  expect(scoreAt(MODEL, start, START)).toMatchObject({ score: 100, classification: 'untrusted' })
  const own = Array.from({ length: 5_000 }, (_, i) => ({
    ...reported('task.completed', {}, 0, START + i * HOUR_MS),
    self: true,
  }))
  const { score } = scoreAt(MODEL, foldEvents(MODEL, start, own), START + 5_000 * HOUR_MS)
  expect(score).toBeLessThan(300)
})
