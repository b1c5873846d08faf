import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawn } from '../../test/support/cases.ts'
import { apportion } from './apportion.ts'
import {
  type Attribution,
  addTimeEffect,
  addToAttribution,
  mainReporter,
  newAttribution,
} from './attribution.ts'
import { contributionsOf } from './contributions.ts'
import {
  type EventData,
  type HandoverType,
  LOG_TYPES,
  REPORTED_TYPES,
  type ReportedType,
} from './event.ts'
import { addEvent, type CountedEvent, foldEvents } from './evidence.ts'
import { type Evidence, newEvidence } from './evidence-state.ts'
import { carriedEvidence } from './handover.ts'
import { MODEL } from './model.ts'
import { REASONS, RECENT_DAYS, type ReasonCode, reasonsOf } from './reasons.ts'
import { scoreAt } from './score.ts'
import { DAY_MS } from './time.ts'
import { errorBudget, nextTier, scoreAfter, type WhatIf } from './what-if.ts'

const START = 20_000 * DAY_MS
const step = fc.record({
  type: fc.constantFrom(...REPORTED_TYPES),
  data: fc.record(
    {
      amount: fc.constantFrom(0.5, 10, 100, 9_999),
      daysLate: fc.constantFrom(1, 30),
      severity: fc.constantFrom('low' as const, 'critical' as const),
    },
    { requiredKeys: [] },
  ),
  reporter: fc.nat(29),
  wait: fc.constantFrom(0, 1000, DAY_MS, 3 * DAY_MS, 100 * DAY_MS),
  times: fc.constantFrom(1, 1, 1, 20),
})

const history = fc.array(step, { maxLength: 30 })

function eventsOf(steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]) {
  const events: CountedEvent[] = []
  let at = START
  for (const { type, data, reporter, wait, times } of steps) {
    at += wait
    const self = reporter === 0
    for (let i = 0; i < times; i++) {
      events.push({ type, data, reporter: `r${reporter}`, self, at })
    }
  }
  return events
}

function addTo(attribution: Attribution, id: string, event: CountedEvent): void {
  const kind = event.self ? 'agent' : 'platform'
  const evidence = addEvent(MODEL, attribution.evidence, event)
  addToAttribution(MODEL, attribution, { id, kind, event, evidence })
}

function attributionOf(
  events: readonly CountedEvent[],
  at: number,
  initialCeiling?: number,
): Attribution {
  const attribution = newAttribution(MODEL, newEvidence(MODEL, START, initialCeiling), START)
  for (const [i, event] of events.entries()) {
    addTo(attribution, `e${i}`, event)
  }
  addTimeEffect(MODEL, attribution, at)
  return attribution
}

function endOf(events: readonly CountedEvent[]): number {
  return (events.at(-1)?.at ?? START) + 5 * DAY_MS
}

const sum = (parts: readonly { readonly points: number }[]) =>
  parts.reduce((total, { points }) => total + points, 0)

describe('contributions', () => {
  test('sum to the score exactly, by dimension, by type and by reporter', () => {
    fc.assert(
      fc.property(history, fc.constantFrom(1000, 400, 60), (steps, initialCeiling) => {
        const events = eventsOf(steps)
        const at = endOf(events)
        const { score } = scoreAt(
          MODEL,
          foldEvents(MODEL, newEvidence(MODEL, START, initialCeiling), events),
          at,
        )
        const attribution = attributionOf(events, at, initialCeiling)
        const from = scoreAt(MODEL, newEvidence(MODEL, START, initialCeiling), START).score
        const { start, time, correction, ...groups } = contributionsOf(attribution, from, score)
        const rest = score - start - time - correction
        expect([start, correction]).toEqual([from, 0])
        expect(sum(groups.types)).toBe(rest)
        expect(sum(groups.dimensions)).toBe(rest)
        expect(sum(groups.reporters)).toBe(rest)
        const whole = [time, ...groups.types, ...groups.reporters].map((one) =>
          typeof one === 'number' ? one : one.points,
        )
        for (const points of whole) {
          expect(Number.isInteger(points)).toBe(true)
        }
      }),
      { numRuns: drawn(500) },
    )
  })

  test('of good events are never below zero, and of bad events never above', () => {
    fc.assert(
      fc.property(history, (steps) => {
        const events = eventsOf(steps)
        for (const [type, { points }] of attributionOf(events, endOf(events)).types) {
          expect(LOG_TYPES[type].impact === 'positive' ? points : -points).toBeGreaterThan(-1e-6)
        }
      }),
      { numRuns: drawn(200) },
    )
  })

  test('since a moment sum to the difference, and a changed stored score is a correction', () => {
    fc.assert(
      fc.property(history, history, fc.integer({ min: -3, max: 3 }), (before, after, off) => {
        const first = eventsOf(before)
        const then = endOf(first)
        const evidence = foldEvents(MODEL, newEvidence(MODEL, START), first)
        const more = eventsOf(after).map((event) => ({ ...event, at: event.at - START + then }))
        const at = Math.max(endOf(more), then)
        const attribution = newAttribution(MODEL, evidence, then)
        for (const event of more) {
          addTo(attribution, 'e', event)
        }
        addTimeEffect(MODEL, attribution, at)
        const from = scoreAt(MODEL, evidence, then).score
        const to = scoreAt(MODEL, foldEvents(MODEL, evidence, more), at).score
        const { time, correction, types } = contributionsOf(attribution, from + off, to)
        expect(correction + off).toBe(0)
        expect(time + correction + sum(types)).toBe(to - from - off)
      }),
      { numRuns: drawn(200) },
    )
  })

  test('name the strongest events, and combine the reporters beyond twenty in one line', () => {
    const events = Array.from({ length: 150 }, (_, i): CountedEvent => {
      const type = i < 120 ? 'task.completed' : 'payment.disputed'
      return { type, data: {}, reporter: `r${i % 30}`, self: false, at: START + i }
    })
    const attribution = attributionOf(events, START + DAY_MS)
    const { up, down } = attribution.strongest
    expect(down).toHaveLength(5)
    expect(new Set(down.map(({ type }) => type))).toEqual(new Set(['payment.disputed']))
    const lost = down.map(({ points }) => points)
    expect(lost).toEqual([...lost].sort((a, b) => a - b))
    expect(up).toHaveLength(5)
    const { score } = scoreAt(
      MODEL,
      foldEvents(MODEL, newEvidence(MODEL, START), events),
      START + DAY_MS,
    )
    const { reporters } = contributionsOf(attribution, 100, score)
    expect(reporters).toHaveLength(21)
    expect(reporters.at(-1)).toMatchObject({ reporter: null, events: 50 })
  })
})

test('apportioned parts are whole, sum to the total, and change by at most one', () => {
  const part = fc.double({ min: -500, max: 500, noNaN: true })
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 12 }), (parts) => {
      const total = Math.round(parts.reduce((a, b) => a + b, 0)) + 0
      const whole = apportion(parts, total)
      expect(whole.reduce((a, b) => a + b, 0)).toBe(total)
      for (const [i, value] of whole.entries()) {
        expect(Math.abs(value - (parts[i] ?? 0))).toBeLessThanOrEqual(1.0000001)
      }
    }),
  )
  expect(apportion([1.5, 1.5, 1], 4)).toEqual([2, 1, 1])
  expect(apportion([], 0)).toEqual([])
})

describe('what-if', () => {
  const whatIfOf = (events: readonly CountedEvent[]): WhatIf => {
    const evidence = foldEvents(MODEL, newEvidence(MODEL, START), events)
    return {
      evidence,
      at: endOf(events),
      reporter: mainReporter(attributionOf(events, START))?.id ?? 'x',
      voter: null,
      reporterWeight: 1,
      credentialShares: [1, 0.5, 0.25, 0.125],
    }
  }
  const work = (count: number, days: number): CountedEvent[] =>
    Array.from({ length: count }, (_, i) => {
      const at = START + Math.floor((i * days) / count) * DAY_MS
      return { type: 'task.completed', data: {}, reporter: `r${(i % 2) + 1}`, self: false, at }
    })
  const add = (whatIf: WhatIf, type: ReportedType, count: number, at: number): Evidence => {
    let { evidence } = whatIf
    for (let i = 0; i < count; i++) {
      evidence = addEvent(MODEL, evidence, {
        type,
        data: {},
        reporter: whatIf.reporter,
        self: false,
        at,
      })
    }
    return evidence
  }

  test('a suggested way reaches the next tier, and one event fewer does not', () => {
    const whatIf = whatIfOf(work(4, 4))
    const next = nextTier(MODEL, whatIf)
    const way = next?.ways.find(({ perDay, events }) => perDay === null && events > 1)
    if (!next || !way) {
      throw new Error('expected a way')
    }
    const { type } = way
    const scoreWith = (count: number) => scoreAfter(MODEL, whatIf, { type, count })
    expect(scoreWith(way.events)).toBeGreaterThanOrEqual(next.min)
    expect(scoreWith(way.events - 1)).toBeLessThan(next.min)
    const days = next.ways.map((one) => one.days)
    expect(days).toEqual([...days].sort((a, b) => a - b))
  })

  test('exactly one failure more spends the error budget', () => {
    const whatIf = whatIfOf(work(200, 60))
    const budget = errorBudget(MODEL, whatIf)
    const left = budget?.failures.find(({ type }) => type === 'task.failed')?.events
    if (!budget || typeof left !== 'number') {
      throw new Error('expected a budget')
    }
    const { score, classification } = scoreAt(MODEL, whatIf.evidence, whatIf.at)
    const floor = score - budget.pointsLeft
    const scoreWith = (count: number) =>
      scoreAt(MODEL, add(whatIf, 'task.failed', count, whatIf.at), whatIf.at).score
    expect(budget.classification).toBe(classification)
    expect(scoreWith(left)).toBeGreaterThanOrEqual(floor)
    expect(scoreWith(left + 1)).toBeLessThan(floor)
  })

  test('there is no error budget in the lowest tier', () => {
    expect(errorBudget(MODEL, whatIfOf([]))).toBeNull()
    expect(nextTier(MODEL, whatIfOf([]))).toMatchObject({ classification: 'poor', min: 300 })
  })
})

describe('reasons', () => {
  const times = (count: number, one: CountedEvent) => Array.from({ length: count }, () => one)
  const reasons = (
    events: readonly CountedEvent[],
    at: number,
    { quarantined = 0, initialCeiling }: { quarantined?: number; initialCeiling?: number } = {},
  ) => {
    const attribution = attributionOf(events, at, initialCeiling)
    const earlier = attributionOf(
      events.filter((one) => one.at < at - RECENT_DAYS * DAY_MS),
      at,
    )
    const { disputed } = scoreAt(MODEL, attribution.evidence, at)
    return reasonsOf({
      attribution,
      at,
      quarantined,
      recentLoss: attribution.loss - earlier.loss,
      isDisputed: disputed.isDisputed,
    })
  }
  const event = (type: ReportedType, reporter: string, day: number): CountedEvent => ({
    type,
    data: {},
    reporter,
    self: reporter === 'me',
    at: START + day * DAY_MS,
  })

  test.each<[string, readonly CountedEvent[], number, readonly ReasonCode[]]>([
    ['a new agent', [], 0, ['no_events', 'unverified_identity']],
    [
      'one that only speaks for itself',
      [event('task.completed', 'me', 0)],
      0,
      ['few_events', 'self_reported_only', 'no_payments', 'unverified_identity'],
    ],
    [
      'one that failed a while ago',
      [event('task.completed', 'a', 0), ...times(4, event('task.failed', 'b', 1))],
      80,
      [
        'task_failures',
        'few_events',
        'inactive',
        'no_payments',
        'unverified_identity',
        'good_work',
        'several_reporters',
      ],
    ],
    [
      'one that paid late and is vouched for',
      [event('credential.issued', 'a', 0), ...times(4, event('payment.late', 'a', 50))],
      50,
      [
        'recent_failures',
        'payment_failures',
        'few_events',
        'single_reporter',
        'no_tasks',
        'verified_identity',
      ],
    ],
  ])('of %s', (_, events, day, expected) => {
    expect(reasons(events, START + day * DAY_MS)).toEqual(expected)
  })

  /** Good work at two platforms on each of some days. */
  const daily = (from: number, days: number) =>
    Array.from({ length: days }, (_, day) => [
      event('task.completed', 'a', from + day),
      event('payment.completed', 'b', from + day),
    ]).flat()

  test('name the youth of an agent by its tenure, whenever it was registered', () => {
    expect(reasons(daily(100, 1), START + 100 * DAY_MS)).toContain('young')
    expect(reasons(daily(0, 20), START + 20 * DAY_MS)).toContain('young')
    expect(reasons(daily(0, 21), START + 21 * DAY_MS)).not.toContain('young')
  })

  test('name a worse agent of the owner only while it limits the score', () => {
    const events = daily(0, 365)
    const limited = (days: number) =>
      reasons(events.slice(0, 2 * days), START + days * DAY_MS, { initialCeiling: 60 })
    expect(limited(0)).toContain('former_agent')
    expect(limited(100)).toContain('former_agent')
    expect(limited(365)).not.toContain('former_agent')
    // A score below the ceiling is not limited by it.
    expect(reasons([], START, { initialCeiling: 400 })).not.toContain('former_agent')
    fc.assert(
      fc.property(history, fc.constantFrom(990, 400, 60), (steps, initialCeiling) => {
        const all = eventsOf(steps)
        const at = endOf(all)
        const [free, held] = [attributionOf(all, at), attributionOf(all, at, initialCeiling)]
        const codes = reasons(all, at, { initialCeiling })
        expect(codes.includes('former_agent')).toBe(free.whole - held.whole >= 1)
      }),
      { numRuns: drawn(200) },
    )
  })

  const handover = (type: HandoverType, day: number, data: EventData = {}): CountedEvent => ({
    type,
    data,
    reporter: 'owner',
    self: true,
    at: START + day * DAY_MS,
  })
  const limitedTo = (ceiling: number, day = 0) =>
    handover('agent.limited', day, { parentId: 'parent', ceiling })
  const succeeded = (events: readonly CountedEvent[], day: number) => {
    const left = foldEvents(MODEL, newEvidence(MODEL, START - 40 * DAY_MS), events)
    return handover('agent.succeeded', day, { predecessorEvidence: carriedEvidence(left) })
  }

  test('count the reports that a successor took over', () => {
    const codes = reasons([succeeded(daily(0, 300), 300)], START + 300 * DAY_MS)
    expect(codes).toEqual(expect.arrayContaining(['several_reporters', 'long_record']))
    for (const code of ['no_events', 'few_events', 'self_reported_only', 'no_tasks'] as const) {
      expect(codes).not.toContain(code)
    }
    const ofNothing = reasons([succeeded([], 0)], START)
    expect(ofNothing).toEqual(expect.arrayContaining(['no_events']))
    expect(ofNothing).not.toContain('self_reported_only')
  })

  test('do not count a ceiling or a change of hands as a report', () => {
    const limited = reasons([limitedTo(50)], START)
    expect(limited).toEqual(['no_events', 'has_parent'])
    const at = START + 60 * DAY_MS
    expect(reasons([...daily(0, 20), limitedTo(50, 59)], at)).toContain('inactive')
    const sold = reasons([...daily(0, 40), handover('agent.transferred', 40)], START + 40 * DAY_MS)
    expect(sold).not.toContain('recent_failures')
  })

  test('name a change of hands only while the tenure that it took limits the score', () => {
    const sold = [...daily(0, 40), handover('agent.transferred', 40), ...daily(40, 300)]
    const until = (days: number) =>
      reasons(
        sold.filter((one) => one.at < START + days * DAY_MS),
        START + days * DAY_MS,
      )
    expect(until(41)).toContain('new_owner')
    expect(until(60)).toContain('new_owner')
    expect(until(340)).not.toContain('new_owner')
    const bought = reasons([handover('agent.transferred', 1), ...daily(1, 2)], START + 3 * DAY_MS)
    expect(bought).not.toContain('new_owner')
    const first = succeeded(daily(-40, 40), 0)
    const next = (days: number) => reasons([first, ...daily(0, days)], START + days * DAY_MS)
    expect(next(0)).toContain('succeeded')
    expect(next(300)).not.toContain('succeeded')
  })

  test('name credentials and their revocation only while they change the score', () => {
    const [issued, revoked] = [
      event('credential.issued', 'a', 0),
      event('credential.revoked', 'a', 0),
    ]
    const later = START + 20 * DAY_MS
    const good = reasons([issued, ...daily(0, 20)], later)
    expect(good).toContain('verified_identity')
    expect(good).not.toContain('unverified_identity')
    const without = reasons([issued, revoked, ...daily(0, 20)], later)
    expect(without).toEqual(expect.arrayContaining(['credential_revoked', 'unverified_identity']))
    // Of an agent that is known to be bad no credential counts.
    const bad = ['a', 'b', 'c'].flatMap((one) => times(20, event('task.failed', one, 0)))
    const known = reasons([issued, issued, revoked, ...bad], START)
    for (const code of [
      'verified_identity',
      'unverified_identity',
      'credential_revoked',
    ] as const) {
      expect(known).not.toContain(code)
    }
    const decades = START + 20 * 365 * DAY_MS
    expect(reasons([issued, revoked], decades)).not.toContain('credential_revoked')
  })

  test('name a parent only while its ceiling limits the score', () => {
    const at = START + 20 * DAY_MS
    expect(reasons([limitedTo(100), ...daily(0, 20)], at)).toContain('has_parent')
    expect(reasons([limitedTo(900), ...daily(0, 20)], at)).not.toContain('has_parent')
    const both = reasons([limitedTo(90), ...daily(0, 20)], at, { initialCeiling: 60 })
    expect(both).toContain('has_parent')
    expect(both).not.toContain('former_agent')
  })

  test('name a disagreement of platforms', () => {
    const good = times(20, event('task.completed', 'a', 0))
    const bad = times(20, event('task.failed', 'b', 0))
    expect(reasons([...good, ...bad], START)).toContain('disputed')
    expect(reasons(good, START)).not.toContain('disputed')
  })

  test('are a closed list of codes, each with its sentence', () => {
    for (const [code, { sentence }] of Object.entries(REASONS)) {
      expect(code).toMatch(/^[a-z_]+$/)
      expect(sentence).toMatch(/^[A-Z].*\.$/)
    }
    expect(reasons([], START, { quarantined: 1 })).toContain('quarantined_events')
  })
})
