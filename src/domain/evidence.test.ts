import { expect, test } from 'vitest'
import type { EventData, EventType } from './event.ts'
import { addEvent, type CountedEvent, foldEvents } from './evidence.ts'
import { decodeEvidence, encodeEvidence } from './evidence-codec.ts'
import { newEvidence } from './evidence-state.ts'
import { MODEL } from './model.ts'
import { scoreAt } from './score.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './time.ts'

const START = 20_000 * DAY_MS
const NEW = newEvidence(MODEL, START)

function event(type: EventType, rest: Partial<CountedEvent> = {}, data: EventData = {}) {
  return { type, data, reporter: 'platform', self: false, at: START, ...rest }
}

test('the first twenty-four platforms have a vote each, and all later ones share forty', () => {
  const reports = Array.from({ length: 1000 }, (_, i) =>
    event('task.completed', { reporter: `p${i}` }),
  )
  const { sources, crowd, reliabilityCount } = foldEvents(MODEL, NEW, reports)
  const names = sources.map(({ voter }) => voter)
  expect(names.slice(0, 24)).toEqual(Array.from({ length: 24 }, (_, i) => `p${i}`))
  expect(names.slice(24).sort()).toEqual(Array.from({ length: 40 }, (_, i) => `~${i}`).sort())
  const shared = sources.slice(24).reduce((sum, { reliabilityGood }) => sum + reliabilityGood, 0)
  expect(shared).toBe(976)
  expect(crowd.reliabilityGood).toBe(0)
  expect(reliabilityCount).toBe(1000)
})

test('eight provisional reporters have a vote each, further ones share some, and later established ones still get theirs', () => {
  const reports = (prefix: string, reporterWeight: number, length = 30) =>
    Array.from({ length }, (_, i) =>
      event('task.completed', { reporter: `${prefix}${i}`, reporterWeight }),
    )
  const all = [...reports('new', 0.5), ...reports('old', 1), ...reports('newer', 0.5, 5)]
  const { sources, crowd } = foldEvents(MODEL, NEW, all)
  const names = sources.map(({ voter }) => voter)
  const count = (prefix: RegExp) => names.filter((name) => prefix.test(name)).length
  expect([count(/^new\d/), count(/^old/), count(/^newer/)]).toEqual([8, 16, 0])
  const shared = sources.filter(({ voter }) => voter.startsWith('~'))
  expect(shared.reduce((sum, { reliabilityGood }) => sum + reliabilityGood, 0)).toBe(22 + 14)
  expect(crowd.reliabilityGood).toBe(5)
})

test('reporters that are not established share one vote, however many they are', () => {
  const reports = Array.from({ length: 100 }, (_, i) =>
    event('task.failed', { reporter: `p${i}`, reporterWeight: 0.1 }),
  )
  const { sources, crowd } = foldEvents(MODEL, NEW, reports)
  expect(sources).toEqual([])
  expect(crowd.negativeWeight).toBe(0.1)
})

test('a provisional reporter that becomes established keeps its vote, from then on with full weight', () => {
  const before = addEvent(MODEL, NEW, event('task.completed', { reporterWeight: 0.5 }))
  const after = addEvent(MODEL, before, event('task.completed', { reporterWeight: 1 }))
  expect(before.sources[0]?.positiveWeightMax).toBe(0.5)
  expect(after.sources).toHaveLength(1)
  expect(after.sources[0]).toMatchObject({ positiveWeightMax: 1, reliabilityGood: 2 })
})

test('the order of the reports in a nightly batch does not change the score', () => {
  const reports = [
    ...Array.from({ length: 90 }, () => 'task.completed' as const),
    ...Array.from({ length: 10 }, () => 'task.failed' as const),
  ]
  const mixed = reports.map((_, i) => reports[(37 * i) % 100] ?? 'task.completed')
  const scoreOf = (batch: readonly EventType[]) => {
    const nights = Array.from({ length: 40 }, (_, day) =>
      batch.map((type, i) => event(type, { at: START + day * DAY_MS + 20_000 * i })),
    )
    return scoreAt(MODEL, foldEvents(MODEL, NEW, nights.flat()), START + 40 * DAY_MS - 1).score
  }
  expect(scoreOf(reports)).toBe(scoreOf(mixed))
  expect(scoreOf(reports.toReversed())).toBe(scoreOf(mixed))
})

const alarmAfter = (...events: readonly CountedEvent[]) =>
  foldEvents(MODEL, NEW, events).sources[0]?.alarm ?? 0

const reportsAt = (count: number, type: EventType, at: number, everyMs = 0) =>
  Array.from({ length: count }, (_, i) => event(type, { at: START + at + i * everyMs }))

test('good reports offset bad ones of their series, which ends after two hours', () => {
  const good = reportsAt(100, 'task.completed', 0)
  const bad = (at: number) => reportsAt(10, 'task.failed', at)
  expect(alarmAfter(...good, ...bad(2 * HOUR_MS - 1000))).toBeLessThan(0)
  expect(alarmAfter(...good, ...bad(2 * HOUR_MS))).toBeGreaterThan(MODEL.alarmFrom)
})

test('good reports end an alarm after the series of its bad reports, not within it', () => {
  const before = reportsAt(100, 'task.completed', 0)
  const bad = reportsAt(15, 'task.failed', DAY_MS)
  const after = (at: number) => reportsAt(60, 'task.completed', DAY_MS + at)
  expect(alarmAfter(...before, ...bad, ...after(0))).toBeGreaterThan(MODEL.alarmFrom)
  expect(alarmAfter(...before, ...bad, ...after(2 * HOUR_MS))).toBeLessThan(0)
})

test('the uptime reports of a day count as one, at whatever hour, from the second day on', () => {
  const up = (day: number, hour: number) =>
    event(
      'uptime.report',
      { at: START + day * DAY_MS + hour * HOUR_MS },
      { uptimePercentage: 99.9 },
    )
  const hours = Array.from({ length: 24 }, (_, hour) => hour)
  const first = foldEvents(
    MODEL,
    NEW,
    hours.map((hour) => up(0, hour)),
  )
  const goodOf = (...events: readonly CountedEvent[]) =>
    foldEvents(MODEL, first, events).sources[0]?.reliabilityGood ?? 0
  const kept = goodOf(event('uptime.report', { at: START + DAY_MS }, { uptimePercentage: 95 }))
  expect(goodOf(up(1, 0)) - kept).toBeCloseTo(0.5 / 24, 4)
  expect(goodOf(up(1, 23)) - kept).toBeCloseTo(0.5 / 24, 4)
  expect(goodOf(...hours.map((hour) => up(1, hour))) - kept).toBeCloseTo(0.5, 4)
})

test.each([
  ['a platform of the crowd', { reporterWeight: 0.1 }],
  ['the agent’s own side', { self: true }],
])('folding a later day changes no earlier evidence, of an uptime of 95 % by %s alone', (_, by) => {
  const uptime = event('uptime.report', by, { uptimePercentage: 95 })
  const evidence = addEvent(MODEL, NEW, uptime)
  const before = encodeEvidence(evidence)
  foldEvents(MODEL, evidence, [event('task.completed', { at: START + DAY_MS })])
  expect(encodeEvidence(evidence)).toEqual(before)
})

test('hourly uptime reports do not end the silence before a series', () => {
  const hourly = Array.from({ length: 48 }, (_, hour) =>
    event('uptime.report', { at: START + hour * HOUR_MS }, { uptimePercentage: 99.9 }),
  )
  const night = 48 * HOUR_MS + 1000
  const batch = [...reportsAt(90, 'task.completed', night), ...reportsAt(8, 'task.failed', night)]
  expect(alarmAfter(...hourly, ...batch)).toBeLessThan(0)
})

test.each([0.6, 59, 61, 71])(
  'a batch of a hundred reports %d seconds apart is one series',
  (seconds) => {
    const good = reportsAt(90, 'task.completed', 0, 1000 * seconds)
    const bad = reportsAt(10, 'task.failed', 90_000 * seconds, 1000 * seconds)
    expect(alarmAfter(...good, ...bad)).toBeLessThan(MODEL.alarmFrom)
  },
)

test.each([30, 60, 120])('a batch every %d minutes, bad reports last, begins no run', (minutes) => {
  const batches = Array.from({ length: 48 }, (_, i) => [
    ...reportsAt(30, 'task.completed', i * minutes * MINUTE_MS),
    ...reportsAt(1, 'task.failed', i * minutes * MINUTE_MS + 1_000),
  ])
  const [source] = foldEvents(MODEL, NEW, batches.flat()).sources
  expect(source?.run).toBe(0)
})

test('a batch whose rest waits until the hourly limit allows it is one series', () => {
  const good = reportsAt(100, 'task.completed', 0, 600)
  const rest = [
    ...reportsAt(35, 'task.completed', HOUR_MS, 600),
    ...reportsAt(15, 'task.failed', HOUR_MS + 30_000, 600),
  ]
  expect(alarmAfter(...good, ...rest)).toBeLessThan(MODEL.alarmFrom)
})

test('good uptime after a task offsets no outage that follows it', () => {
  const up = (uptimePercentage: number, from: number) =>
    Array.from({ length: 200 * 24 }, (_, hour) =>
      event('uptime.report', { at: START + from + hour * HOUR_MS }, { uptimePercentage }),
    )
  const outage = up(0, 200 * DAY_MS).slice(0, 96)
  const task = event('task.completed')
  expect(alarmAfter(task, ...up(99.9, 0), ...outage)).toBeGreaterThan(MODEL.alarmFrom)
})

test('days with one uptime report make no room for days with many', () => {
  const days = (counts: readonly number[]) =>
    counts.flatMap((count, day) =>
      Array.from({ length: count }, (_, i) =>
        event('uptime.report', { at: START + day * DAY_MS + i }, { uptimePercentage: 99.9 }),
      ),
    )
  const goodOf = (counts: readonly number[]) =>
    foldEvents(MODEL, NEW, days(counts)).sources[0]?.reliabilityGood ?? 0
  const steady = goodOf(Array.from({ length: 40 }, () => 1))
  expect(goodOf(Array.from({ length: 40 }, (_, day) => (day % 2 ? 500 : 1)))).toBeLessThan(steady)
})

test('bad reports that their series offsets begin no run', () => {
  const good = reportsAt(100, 'task.completed', 0)
  const [source] = foldEvents(MODEL, NEW, [...good, ...reportsAt(3, 'task.failed', 1000)]).sources
  expect(source?.run).toBe(0)
  expect(source?.reliabilityBad).toBeGreaterThan(2)
})

test('evidence of an agent that changed hands is read back exactly', () => {
  const paid = event('payment.completed', {}, { amount: 100, currency: 'USD' })
  const named = event('task.completed', { reporter: 'own' }, { counterparty: 'a customer' })
  const unnamed = event('task.completed', { reporter: 'own' })
  const transferred = event(
    'agent.transferred',
    { reporter: 'new owner', at: START + DAY_MS },
    { ownPlatforms: ['own'] },
  )
  const evidence = foldEvents(MODEL, NEW, [paid, named, unnamed, transferred])
  expect(decodeEvidence(MODEL, encodeEvidence(evidence))).toStrictEqual(evidence)
})

test('a platform that reports all day long sends no series', () => {
  const good = reportsAt(300, 'task.completed', 0, 36_000)
  const bad = reportsAt(10, 'task.failed', 300 * 36_000)
  expect(alarmAfter(...good, ...bad)).toBeGreaterThan(MODEL.alarmFrom)
})

test('evidence of a platform within a series is read back exactly', () => {
  const within = foldEvents(MODEL, NEW, [event('task.completed', { at: START + 1 })])
  expect(within.sources[0]?.alarm).toBeLessThan(0)
  expect(decodeEvidence(MODEL, encodeEvidence(within))).toStrictEqual(within)
})

test('the evidence stays below 8 kB, however many events it has', () => {
  let evidence = NEW
  const reports = (day: number) =>
    Array.from({ length: 2000 }, (_, i) =>
      event(
        i % 3 ? 'task.completed' : 'payment.late',
        { reporter: `platform-${i % 200}`, at: START + day * DAY_MS },
        i % 3 ? { taskClass: `class-${i % 40}` } : { amount: i },
      ),
    )
  for (let day = 0; day < 20; day++) {
    evidence = foldEvents(MODEL, evidence, reports(day))
  }
  expect(encodeEvidence(evidence).length).toBeLessThan(8000)
})

/** One completed task in format 9. Without an alarm, format 8 is the same. */
const WITHOUT_TIMES =
  'CUJ5JU04AAAAQI9AAAAAAABCeSVNOAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAATiAAAAAAAQAAAABAj0AAAAAAAECPQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/8AAAAAAAAAAAAAAAAAAAP/AAAAAAAAAAAAAAAAAAAD/wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAP/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEIAHAAbABhAHQAZgBvAHIAbT+AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADIAAAAAAAAAA=='

/** The same in format 10. */
const WITHOUT_HANDOVERS =
  'CkJ5JU04AAAAQI9AAAAAAABCeSVNOAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAATiAAAAAAAQAAAABAj0AAAAAAAECPQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/8AAAAAAAAAAAAAAAAAAAP/AAAAAAAAAAAAAAAAAAAD/wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAP/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABCABwAGwAYQB0AGYAbwByAG0/gAAAAAAAAAAAAAAAAAAAv1F0XWb/MABm/zAAAAAAAAAAAADIAAAAAAAAAAAAAAAAAAAAAAAAAA=='

/** A tenth of a completed task, a payment of $5 and a failed task, in format 11. */
const WITHOUT_DEALS =
  'C0J5JU04AAAAQI9AAAAAAABCeSVNOAAAAAAAAAIAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE4gAAAAAAEAAAAAQI9AAAAAAABAj0AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAP7mZmZmZmZo/8AAAAAAAAD+4k3S8an76P/AAAAAAAAA/8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAP/AAAAAAAAA/8AAAAAAAAAAAAAAAAAAAP/AAAAAAAAAAAAAAAAAAAD/wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQEAcD3MzM0/ZmZmP4AAAAAAAAC+pwEdZv8wAGb/TCAAAAAAPoAAAMjIAAAAAAAAAAAAAAAAP4AAAAAA'

const CHEATED = foldEvents(MODEL, NEW, [
  ...Array.from({ length: 30 }, () => event('task.completed')),
  ...Array.from({ length: 6 }, () => event('task.timeout', { at: START + 2 * HOUR_MS })),
])

test('evidence of a platform under alarm is read back exactly', () => {
  expect(CHEATED.sources[0]?.alarm).toBeGreaterThan(MODEL.alarmFrom)
  expect(decodeEvidence(MODEL, encodeEvidence(CHEATED))).toStrictEqual(CHEATED)
})

test.each([8, 9])('evidence that a predecessor left in format %i is still read', (format) => {
  const { sources, ...rest } = foldEvents(MODEL, NEW, [event('task.completed')])
  const bytes = Uint8Array.from(Buffer.from(WITHOUT_TIMES, 'base64'))
  bytes[0] = format
  expect(decodeEvidence(MODEL, bytes)).toStrictEqual({
    ...rest,
    sources: sources.map((source) => ({ ...source, alarm: 0, reportedAt: 0, seriesUntil: 0 })),
  })
})

test('evidence that a predecessor left in format 10, within a series, is still read as in none', () => {
  const { sources, ...rest } = foldEvents(MODEL, NEW, [event('task.completed')])
  const decoded = decodeEvidence(MODEL, Buffer.from(WITHOUT_HANDOVERS, 'base64'))
  expect(decoded).toStrictEqual({
    ...rest,
    sources: sources.map((source) => ({ ...source, seriesUntil: 0 })),
  })
  const [source] = addEvent(MODEL, decoded, event('task.failed')).sources
  expect(source?.alarm).toBeGreaterThanOrEqual(0)
})

test('evidence that a predecessor left in format 11 is still read, its reports as reports of deals', () => {
  const decoded = decodeEvidence(MODEL, Buffer.from(WITHOUT_DEALS, 'base64'))
  const by = { reporter: 'p' }
  expect(decoded).toStrictEqual(
    foldEvents(MODEL, NEW, [
      event('task.completed', { ...by, share: 0.1 }),
      event('payment.completed', by, { amount: 5 }),
      event('task.failed', by),
    ]),
  )
})

test.each([WITHOUT_TIMES, WITHOUT_HANDOVERS, WITHOUT_DEALS])(
  'evidence of an earlier format is written exactly as it was read (%#)',
  (text) => {
    const decoded = decodeEvidence(MODEL, Buffer.from(text, 'base64'))
    expect(decodeEvidence(MODEL, encodeEvidence(decoded))).toStrictEqual(decoded)
  },
)

test('evidence in an unknown format is refused', () => {
  expect(() => decodeEvidence(MODEL, Uint8Array.of(99))).toThrow('form 99')
})

test('an event dated before the previous one counts at the time of the previous one', () => {
  const first = addEvent(MODEL, NEW, event('task.completed', { at: START + 5 * DAY_MS }))
  const early = addEvent(MODEL, first, event('task.completed', { at: START }))
  const same = addEvent(MODEL, first, event('task.completed', { at: START + 5 * DAY_MS }))
  expect(early).toStrictEqual(same)
})

test('evidence decays by half in a year of whole days', () => {
  const good = foldEvents(MODEL, NEW, [
    event('task.completed'),
    event('payment.disputed'),
    event('credential.issued'),
  ])
  const later = (days: number) =>
    addEvent(
      MODEL,
      good,
      event('uptime.report', { at: START + days * DAY_MS }, { uptimePercentage: 95 }),
    )
  expect(later(0.999).sources[0]?.reliabilityGood).toBe(1)
  expect(later(365).sources[0]?.reliabilityGood).toBe(0.5)
  expect(later(365).sources[0]?.financialBad).toBe(0.5)
  expect(later(365).verified).toBe(0.5)
})

test('a platform’s rate covers up to 400 reports of a dimension from one day to the next', () => {
  const flood = Array.from({ length: 1000 }, (_, i) =>
    event(i % 4 === 0 ? 'task.timeout' : 'task.completed'),
  )
  const next = event('payment.completed', { at: START + DAY_MS })
  const [source] = foldEvents(MODEL, NEW, [...flood, next]).sources
  const faded = 2 ** (-1 / 365)
  expect(source?.reliabilityGood).toBeCloseTo(300 * faded, 3)
  expect(source?.reliabilityBad).toBeCloseTo(100 * faded, 3)
})

test('a payment of any amount is one observation', () => {
  const of = (amount: number) =>
    foldEvents(MODEL, NEW, [event('payment.completed', {}, { amount })]).sources[0]?.financialGood
  expect([0.01, 100, 1e9].map(of)).toEqual([1, 1, 1])
})

test('hard work forgives failures and easy work earns less; nothing counts more', () => {
  const at = (type: EventType, hardness: number) => {
    const [source] = addEvent(MODEL, NEW, event(type, { hardness })).sources
    return (source?.reliabilityGood ?? 0) + (source?.reliabilityBad ?? 0)
  }
  expect(at('task.failed', 2)).toBeLessThan(at('task.failed', 0))
  expect(at('task.completed', -2)).toBeLessThan(at('task.completed', 0))
  expect(at('task.failed', -2)).toBe(at('task.failed', 0))
  expect(at('task.completed', 2)).toBe(at('task.completed', 0))
  expect(at('task.timeout', 99)).toBeCloseTo(Math.exp(-3.5), 6)
})

test('failures in a row at hard work are a change, and as many as others have are none', () => {
  // Others do this work well by 40 %, where they do ordinary work well by 97 %.
  const hard = { hardness: 3.5 }
  const alarmAfter = (isBad: (i: number) => boolean) => {
    const ordinary = Array.from({ length: 200 }, (_, i) =>
      event(i % 33 === 0 ? 'task.failed' : 'task.completed'),
    )
    const work = Array.from({ length: 60 }, (_, i) =>
      event(isBad(i) ? 'task.failed' : 'task.completed', hard),
    )
    const hourly = [...ordinary, ...work].map((one, i) => ({ ...one, at: START + i * HOUR_MS }))
    return foldEvents(MODEL, NEW, hourly).sources[0]?.alarm
  }
  expect(alarmAfter((i) => i % 5 < 3)).toBeLessThan(2)
  expect(alarmAfter((i) => i >= 30)).toBeGreaterThan(MODEL.alarmFrom)
})

test('all self-reports share a vote of a tenth, with observations of a tenth', () => {
  const { sources, self, selfCount, reliabilityCount, financialCount, outcomeCounts } = foldEvents(
    MODEL,
    NEW,
    [
      event('payment.completed', { self: true, reporter: 'me' }, { amount: 1e6 }),
      event('task.timeout', { self: true, reporter: 'me' }),
    ],
  )
  expect([selfCount, reliabilityCount, financialCount]).toEqual([2, 1, 1])
  expect(sources).toEqual([])
  expect(self).toMatchObject({ positiveWeightMax: 0.1, negativeWeightMax: 0.1 })
  expect(self.reliabilityBad).toBeCloseTo(0.1, 6)
  expect(outcomeCounts.tasks.bad).toBe(0)
})

test('a complaint counts fully over a weekend, then fades to about a third with the agent’s good days only', () => {
  const bad = foldEvents(
    MODEL,
    NEW,
    Array.from({ length: 10 }, () => event('task.failed', { reporter: 'victim' })),
  )
  const weightAfter = (days: number, isActive: boolean) => {
    let evidence = bad
    for (let day = 1; day <= days; day++) {
      const type = isActive ? 'task.completed' : 'task.failed'
      const other = event(type, { reporter: 'other', at: START + day * DAY_MS })
      evidence = addEvent(MODEL, evidence, other)
    }
    return evidence.sources[0]?.negativeWeight ?? 0
  }
  expect(weightAfter(4, true)).toBe(1)
  expect(weightAfter(7, true)).toBeCloseTo(0.5, 2)
  expect(weightAfter(30, true)).toBe(0.35)
  expect(weightAfter(30, false)).toBe(1)
})
