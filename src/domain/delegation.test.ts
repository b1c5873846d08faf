import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawn } from '../../test/support/cases.ts'
import type { RecordedEvent } from './agent.ts'
import { assess } from './assess.ts'
import { childCeiling, childReport, nextCeiling, shareForParent } from './delegation.ts'
import { addEvent, type CountedEvent, foldEvents } from './evidence.ts'
import { newEvidence } from './evidence-state.ts'
import { MODEL } from './model.ts'
import { DUST } from './testing/dust.ts'
import { ceiling, evidenceOf, history, START } from './testing/histories.ts'

const limited = (max: number, at: number): CountedEvent => ({
  type: 'agent.limited',
  data: { parentId: 'parent', ceiling: max },
  reporter: 'parent',
  self: true,
  reporterWeight: 0.1,
  at,
})

describe('the ceiling of a child', () => {
  const score = fc.integer({ min: 0, max: 1000 })

  test('is at most its parent’s score, and at most 29 points below it', () => {
    fc.assert(
      fc.property(score, score, (before, now) => {
        const next = nextCeiling(childCeiling(before, 'active'), now, 'active')
        expect(next).toBeLessThanOrEqual(now)
        expect(next).toBeGreaterThan(now - 30)
      }),
    )
  })

  test('does not follow a parent’s score that changes by less than two steps', () => {
    fc.assert(
      fc.property(score, fc.array(fc.integer({ min: 0, max: 9 })), (from, moves) => {
        let [last, changes] = [childCeiling(from, 'active'), 0]
        for (const move of moves) {
          const next = nextCeiling(last, Math.min(1000, from + move), 'active')
          changes += next === last ? 0 : 1
          last = next
        }
        expect(changes).toBe(0)
      }),
    )
  })

  test('is that of an unknown agent while its parent is suspended, unless the parent is worse', () => {
    expect(childCeiling(812, 'suspended')).toBe(100)
    expect(childCeiling(47, 'suspended')).toBe(40)
    expect(nextCeiling(100, 812, 'active')).toBe(810)
  })

  test('applies to every history, and is not raised by tenure', () => {
    fc.assert(
      fc.property(history, ceiling, score, (steps, max, parent) => {
        const evidence = evidenceOf(steps, max)
        const child = addEvent(MODEL, evidence, limited(parent, evidence.at))
        const { whole, low, high } = assess(MODEL, child, evidence.at)
        expect(whole).toBeLessThanOrEqual(parent)
        expect(low).toBeLessThanOrEqual(whole)
        expect(high).toBeLessThanOrEqual(parent)
        const later = evidence.at + 400 * 86_400_000
        expect(assess(MODEL, child, later).whole).toBeLessThanOrEqual(parent)
      }),
      { numRuns: drawn(100) },
    )
  })
})

describe('a report of a child', () => {
  const task = (type: 'task.completed' | 'task.failed') => ({
    type,
    data: {},
    reporter: 'market',
    self: false,
    at: START,
  })

  /** What one more failure says, after this many good and bad reports by the same platform. */
  function shareAfter(good: number, bad: number): number {
    const events = [
      ...Array.from({ length: good }, () => task('task.completed')),
      ...Array.from({ length: bad }, () => task('task.failed')),
    ]
    const evidence = foldEvents(MODEL, newEvidence(MODEL, START), events)
    return childReport(MODEL, evidence, recorded('task.failed'))?.share ?? 0
  }

  function recorded(type: RecordedEvent['type'], more: Partial<RecordedEvent> = {}): RecordedEvent {
    return {
      id: 'event',
      agentId: 'child',
      seq: 1,
      type,
      data: {},
      occurredAt: START,
      createdAt: START,
      reporter: { kind: 'platform', id: 'market' },
      self: false,
      voter: null,
      reporterWeight: 1,
      share: 1,
      hardness: 0,
      externalId: null,
      importedAt: null,
      fraudFlags: [],
      quarantineReason: null,
      isQuarantined: false,
      findings: [],
      attestationVerified: false,
      review: null,
      salt: null,
      chain: null,
      ...more,
    }
  }

  test('counts as far as its owner’s platforms together deny that the child is good', () => {
    const events = Array.from({ length: 20 }, () => ({ ...task('task.failed'), voter: 'owner' }))
    const evidence = foldEvents(MODEL, newEvidence(MODEL, START), events)
    const reporter = { kind: 'platform', id: 'another market' } as const
    const report = childReport(
      MODEL,
      evidence,
      recorded('task.failed', { reporter, voter: 'owner' }),
    )
    expect(report).toMatchObject({ reporter, voter: 'owner', share: shareAfter(0, 20) })
  })

  test('counts by the vote that its platform shares, where it has none of its own', () => {
    const others = Array.from({ length: 24 }, (_, i) => ({
      ...task('task.completed'),
      reporter: `other-${i}`,
    }))
    const failures = Array.from({ length: 20 }, () => task('task.failed'))
    const evidence = foldEvents(MODEL, newEvidence(MODEL, START), [...others, ...failures])
    expect(childReport(MODEL, evidence, recorded('task.failed'))).toMatchObject({
      share: shareAfter(0, 20),
    })
    const weak = recorded('task.failed', { reporterWeight: 0.1 })
    expect(childReport(MODEL, evidence, weak)).toBeNull()
  })

  test('counts for the parent as far as the platform finds the child bad', () => {
    expect(shareAfter(0, 4)).toBe(1)
    expect(shareAfter(0, 1)).toBeGreaterThan(0.25)
    expect(shareAfter(0, 1)).toBeLessThan(0.5)
    expect(shareAfter(2, 1)).toBe(0)
    expect(shareAfter(97, 3)).toBe(0)
    expect(shareAfter(60, 40)).toBe(1)
  })

  test('is ignored if it is good, about identity, by the same owner, or about another child', () => {
    const evidence = foldEvents(MODEL, newEvidence(MODEL, START), [
      ...Array.from({ length: 9 }, () => task('task.failed')),
    ])
    const says = (...args: Parameters<typeof recorded>) =>
      childReport(MODEL, evidence, recorded(...args))
    expect(says('task.failed')).not.toBeNull()
    expect(says('task.completed')).toBeNull()
    expect(says('credential.revoked')).toBeNull()
    expect(says('task.failed', { self: true })).toBeNull()
    expect(says('child.work_failed', { data: { observation: -1 } })).toBeNull()
  })

  test('counts for the parent while the platform finds it better than the child', () => {
    const evidence = (good: number, bad: number) =>
      foldEvents(MODEL, newEvidence(MODEL, START), [
        ...Array.from({ length: good }, () => task('task.completed')),
        ...Array.from({ length: bad }, () => task('task.failed')),
      ])
    const report = childReport(MODEL, evidence(60, 40), recorded('task.failed'))
    if (!report) {
      throw new Error('it counts')
    }
    expect(shareForParent(MODEL, evidence(97, 3), report)).toBe(report.share)
    expect(shareForParent(MODEL, evidence(50, 50), report)).toBe(0)
    expect(shareForParent(MODEL, evidence(0, 50), report)).toBe(report.share)
    expect(shareForParent(MODEL, newEvidence(MODEL, START), report)).toBe(report.share)
    expect(shareForParent(MODEL, evidence(50, 50), { ...report, childVote: undefined })).toBe(
      report.share,
    )
  })

  test('never raises the score of a parent', () => {
    fc.assert(
      fc.property(
        history,
        ceiling,
        fc.double({ min: -1, max: 0, noNaN: true }),
        (steps, max, observation) => {
          const evidence = evidenceOf(steps, max)
          const reported = addEvent(MODEL, evidence, {
            type: 'child.work_failed',
            data: { childId: 'child', observation },
            reporter: 'platform-0',
            self: false,
            at: evidence.at,
          })
          const whole = (one: typeof evidence) => assess(MODEL, one, evidence.at).whole
          expect(whole(reported)).toBeLessThanOrEqual(whole(evidence) + DUST)
        },
      ),
      { numRuns: drawn(100) },
    )
  })
})
