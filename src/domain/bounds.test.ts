/** The bounds that docs/scoring.md states, against attackers who try at random. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BETRAYAL_EVENTS_MAX, mostByPlatforms, SELF_ONLY_MAX, STEP_MAX } from './bounds.ts'
import { dayOf } from './decay.ts'
import { EVENT_TYPES, type EventType } from './event.ts'
import { addEvent, type Evidence, foldEvents, newEvidence } from './evidence.ts'
import { MODEL } from './model.ts'
import { assess, scoreAt } from './score.ts'
import { ceiling, DAY_MS, eventsOf, evidenceOf, history, START, step } from './testing/histories.ts'

/** Points that rounding and the last bits of sums may add. */
const DUST = 1e-9

const praise = history.map((steps) =>
  steps.filter(({ type }) => EVENT_TYPES[type].impact === 'positive'),
)

test('a new identity never stands above an honest newcomer, then or after the same events', () => {
  fc.assert(
    fc.property(history, ceiling, fc.nat(1000), (steps, given, days) => {
      const fresh = newEvidence(START, given)
      const newcomer = newEvidence(START)
      expect(assess(MODEL, fresh, START).whole).toBeLessThanOrEqual(Math.min(100 + 1, given))
      const events = eventsOf(steps)
      const [again, honest] = [
        foldEvents(MODEL, fresh, events),
        foldEvents(MODEL, newcomer, events),
      ]
      const at = again.at + days * DAY_MS
      expect(assess(MODEL, again, at).whole).toBeLessThanOrEqual(assess(MODEL, honest, at).whole)
    }),
    { numRuns: 500 },
  )
})

test('self-reports alone never leave Untrusted, so never reach Fair', () => {
  const selfish = history.map((steps) => steps.map((one) => ({ ...one, self: true })))
  fc.assert(
    fc.property(selfish, fc.nat(1000), (steps, days) => {
      const evidence = evidenceOf(steps)
      expect(scoreAt(MODEL, evidence, evidence.at + days * DAY_MS).score).toBeLessThanOrEqual(
        SELF_ONLY_MAX,
      )
    }),
    { numRuns: 1000 },
  )
})

describe('colluding platforms', () => {
  const ring = fc.integer({ min: 1, max: 4 })

  test('never bring an agent above what is stated for so many in so many days', () => {
    fc.assert(
      fc.property(history, praise, ring, (any, good, platforms) => {
        const steps = [...any, ...good].map((one) => {
          return { ...one, platform: one.platform % platforms, times: one.times * 3 }
        })
        const evidence = evidenceOf(steps)
        const days = dayOf(evidence.at) - dayOf(START)
        const { whole } = assess(MODEL, evidence, evidence.at)
        expect(whole).toBeLessThanOrEqual(mostByPlatforms(platforms, days) + DUST)
      }),
      { numRuns: 500 },
    )
  })

  test('need two weeks to make an agent Good, if it is one alone', () => {
    expect(mostByPlatforms(1, 13)).toBeLessThan(650)
  })

  test('can come close to it', () => {
    for (const platforms of [1, 2, 3]) {
      const evidence = flooded(platforms, 5000)
      const most = mostByPlatforms(platforms, 0)
      expect(scoreAt(MODEL, evidence, START).score).toBeGreaterThan(most - 5)
    }
  })

  test('gain more only with more of them, and more days', () => {
    const most = (platforms: number) =>
      [0, 7, 14, 30, 90, 3650].map((d) => mostByPlatforms(platforms, d))
    for (const bounds of [most(1), most(2), most(9)]) {
      expect(bounds).toEqual([...bounds].sort((a, b) => a - b))
    }
    expect(mostByPlatforms(1, 0)).toBeLessThan(mostByPlatforms(2, 0))
    expect(mostByPlatforms(1, 14)).toBeLessThan(mostByPlatforms(3, 14))
  })
})

/** A first day on which platforms say nothing but good, and the agent too. */
function flooded(platforms: number, times: number): Evidence {
  const kinds = ['task.completed', 'payment.completed', 'credential.issued'] as const
  const events = Array.from({ length: times }, (_, i) => {
    const reporter = `platform-${Math.floor(i / 4) % platforms}`
    const type = kinds[i % 3] ?? 'task.completed'
    const self = i % 4 === 3
    return { type, data: { amount: 1e6 }, reporter: self ? 'me' : reporter, self, at: START }
  })
  return foldEvents(MODEL, newEvidence(START), events)
}

test('one event of a kind moves the score at most by the step stated for it', () => {
  fc.assert(
    fc.property(history, step, fc.constantFrom(0, 0, 1, 200), (steps, one, days) => {
      const evidence = evidenceOf(steps)
      const at = evidence.at + days * DAY_MS
      const reporter = one.self ? 'me' : `platform-${one.platform}`
      const more = addEvent(MODEL, evidence, { ...one, reporter, at })
      const moved = Math.abs(assess(MODEL, more, at).whole - assess(MODEL, evidence, at).whole)
      expect(moved).toBeLessThanOrEqual(STEP_MAX[one.type] + DUST)
    }),
    { numRuns: 3000 },
  )
})

describe('betrayal', () => {
  /** Bad events until the agent is below Fair, told in turn by those who told good ones. */
  function eventsToBelowFair(evidence: Evidence, type: EventType): number {
    const at = (dayOf(evidence.at) + 1) * DAY_MS
    const { reliability, financial } = evidence
    const heard = type === 'task.failed' ? reliability : financial
    const who =
      heard.sources.length > 0 ? heard.sources : [...reliability.sources, ...financial.sources]
    let now = evidence
    let count = 0
    while (scoreAt(MODEL, now, at).score >= 500 && count <= BETRAYAL_EVENTS_MAX) {
      const reporter = who[count % who.length]?.reporter ?? 'platform-0'
      now = addEvent(MODEL, now, { type, data: { amount: 100 }, reporter, self: false, at })
      count += 1
    }
    return count
  }

  test.each(['task.failed', 'payment.failed'] as const)(
    '%s takes any agent of honest history below Fair within the number stated',
    (type) => {
      fc.assert(
        fc.property(praise, (steps) => {
          const evidence = evidenceOf(steps.map((one) => ({ ...one, days: one.days * 2 })))
          expect(eventsToBelowFair(evidence, type)).toBeLessThanOrEqual(BETRAYAL_EVENTS_MAX)
        }),
        { numRuns: 500 },
      )
    },
  )
})
