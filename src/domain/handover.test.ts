import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawn } from '../../test/support/cases.ts'
import { assess } from './assess.ts'
import type { EventData, HandoverType } from './event.ts'
import { addEvent, type CountedEvent, foldEvents } from './evidence.ts'
import { type Evidence, newEvidence } from './evidence-state.ts'
import { carriedEvidence } from './handover.ts'
import { MODEL } from './model.ts'
import { scoreAt } from './score.ts'
import { DUST } from './testing/dust.ts'
import { ceiling, evidenceOf, history, START, wait } from './testing/histories.ts'
import { DAY_MS } from './time.ts'

const event = (type: HandoverType, data: EventData, at: number): CountedEvent => ({
  type,
  data,
  reporter: 'owner',
  self: true,
  reporterWeight: 0.1,
  at,
})

const transferred = (evidence: Evidence, at: number, data: EventData = {}) =>
  addEvent(MODEL, evidence, event('agent.transferred', data, at))

function succeeded(evidence: Evidence, at: number): Evidence {
  const data = { predecessorId: 'a', predecessorEvidence: carriedEvidence(evidence) }
  return addEvent(MODEL, newEvidence(MODEL, at), event('agent.succeeded', data, at))
}

const whole = (evidence: Evidence, at: number) => assess(MODEL, evidence, at).whole

/** Good at three platforms: eight tasks and three payments a day. */
function goodAgent(days: number): Evidence {
  const events: CountedEvent[] = []
  for (let day = 0; day < days; day++) {
    for (let i = 0; i < 11; i++) {
      const reporter = `platform-${i % 3}`
      const type = i < 8 ? 'task.completed' : 'payment.completed'
      events.push({ type, data: {}, reporter, self: false, at: START + day * DAY_MS })
    }
  }
  return foldEvents(MODEL, newEvidence(MODEL, START), events)
}

describe('for any earlier reports', () => {
  const ownPlatforms = fc.subarray(['platform-0', 'platform-1', 'platform-2', 'platform-5'])
  const ownerScore = fc.constantFrom(undefined, 0, 60, 99)

  test('a transfer never raises a score', () => {
    fc.assert(
      fc.property(
        history,
        ceiling,
        wait,
        ownPlatforms,
        ownerScore,
        (steps, max, later, own, low) => {
          const evidence = evidenceOf(steps, max)
          const at = evidence.at + Math.max(0, later)
          const data = { ownPlatforms: own, ...(low === undefined ? {} : { ownerScore: low }) }
          return whole(transferred(evidence, at, data), at) <= whole(evidence, at) + DUST
        },
      ),
      { numRuns: drawn(500) },
    )
  })

  test('a successor never scores above its predecessor, and keeps everything bad', () => {
    fc.assert(
      fc.property(history, ceiling, wait, (steps, max, later) => {
        const evidence = evidenceOf(steps, max)
        const at = evidence.at + Math.max(0, later)
        const successor = succeeded(evidence, at)
        const bad = (one: Evidence) =>
          one.sources.map(({ negativeWeight, alarm }) => [negativeWeight, alarm])
        expect(bad(successor)).toEqual(bad(assess(MODEL, evidence, at).now))
        return whole(successor, at) <= whole(evidence, at) + DUST
      }),
      { numRuns: drawn(500) },
    )
  })
})

describe('an Excellent agent that is sold', () => {
  const evidence = goodAgent(90)
  const sold = transferred(evidence, evidence.at)
  const later = (days: number) => {
    const events = Array.from({ length: days * 11 }, (_, i): CountedEvent => {
      const type = i % 11 < 8 ? 'task.completed' : 'payment.completed'
      const at = evidence.at + Math.floor(i / 11 + 1) * DAY_MS
      return { type, data: {}, reporter: `platform-${i % 3}`, self: false, at }
    })
    return scoreAt(MODEL, foldEvents(MODEL, sold, events), evidence.at + (days + 1) * DAY_MS)
  }

  test('falls below Fair at once, and is Good again after three weeks of good work', () => {
    expect(scoreAt(MODEL, evidence, evidence.at).classification).toBe('excellent')
    expect(scoreAt(MODEL, sold, sold.at).score).toBeLessThan(500)
    expect(later(7).score).toBeLessThan(650)
    expect(later(21).score).toBeGreaterThanOrEqual(650)
  })

  test('keeps its event count, and loses its credentials', () => {
    const certified = addEvent(MODEL, evidence, {
      type: 'credential.issued',
      data: {},
      reporter: 'platform-0',
      self: false,
      at: evidence.at,
    })
    const after = transferred(certified, certified.at)
    expect([certified.verified, after.verified]).toEqual([1, 0])
    expect(after.reliabilityCount).toBe(evidence.reliabilityCount)
  })

  test('loses the praise, but not the complaints, of its new owner’s platforms', () => {
    const at = evidence.at
    const complaint = {
      type: 'task.failed',
      data: {},
      reporter: 'platform-0',
      self: false,
      at,
    } as const
    const before = addEvent(MODEL, evidence, complaint)
    const [own] = transferred(before, at, { ownPlatforms: ['platform-0'] }).sources
    expect(own).toMatchObject({ reliabilityGood: 0, financialGood: 0, positiveWeight: 0 })
    expect(own?.reliabilityBad).toBe(before.sources[0]?.reliabilityBad)
  })
})

test('the new owner’s platforms, which share one vote, praise the agent no more', () => {
  const praise = (reporter: string, voter: string) =>
    ({ type: 'task.completed', data: {}, reporter, voter, self: false, at: START }) as const
  const before = foldEvents(MODEL, newEvidence(MODEL, START), [
    praise('p1', 'buyer'),
    praise('p2', 'buyer'),
    praise('p3', 'another'),
  ])
  const [own, other] = foldEvents(MODEL, before, [
    { type: 'agent.transferred', data: {}, reporter: 'buyer', self: true, at: START },
  ]).sources
  expect(own).toMatchObject({ voter: 'buyer', reliabilityGood: 0, positiveWeight: 0 })
  expect(other).toMatchObject({ voter: 'another', reliabilityGood: 1 })
})

test('a successor starts with half of the tenure: after ninety days it is Good, after twenty it is not', () => {
  const evidence = goodAgent(90)
  const successor = succeeded(evidence, evidence.at)
  expect(scoreAt(MODEL, successor, successor.at)).toMatchObject({ classification: 'good' })
  const young = goodAgent(20)
  const before = scoreAt(MODEL, young, young.at).score
  expect(scoreAt(MODEL, succeeded(young, young.at), young.at).score).toBeLessThan(before - 100)
})
