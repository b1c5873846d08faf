import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawn } from '../../test/support/cases.ts'
import { assess } from './assess.ts'
import { addEvent, type CountedEvent } from './evidence.ts'
import { MODEL } from './model.ts'
import { loweredStart, lowersStarts } from './start.ts'
import { DUST } from './testing/dust.ts'
import { ceiling, evidenceOf, history, START } from './testing/histories.ts'

const limited = (most: number, at: number): CountedEvent => ({
  type: 'agent.limited',
  data: { ceiling: most },
  reporter: 'owner',
  self: true,
  reporterWeight: 0.1,
  at,
})

const reported = (reporterWeight: number, self = false): CountedEvent => ({
  type: 'task.completed',
  data: {},
  reporter: 'platform',
  self,
  reporterWeight,
  at: START,
})

describe('the ceiling of an agent that has not started', () => {
  test('is lowered by each ten points that an agent of its owner loses below 100', () => {
    const known = addEvent(MODEL, evidenceOf([]), reported(1))
    expect(lowersStarts(known, 100, 95)).toBe(true)
    expect(lowersStarts(known, 95, 91)).toBe(false)
    expect(lowersStarts(known, 91, 89)).toBe(true)
    expect(lowersStarts(known, 20, 40)).toBe(false)
    expect(lowersStarts(known, 800, 640)).toBe(false)
  })

  test('is not lowered by agents on which only their own side or the crowd has reported', () => {
    for (const event of [reported(0.1, true), reported(0.1)]) {
      expect(lowersStarts(addEvent(MODEL, evidenceOf([]), event), 100, 20)).toBe(false)
    }
  })

  test('is at most the worst score of its owner, and never rises', () => {
    const fresh = evidenceOf([])
    expect(loweredStart(fresh, 27)).toBe(20)
    expect(loweredStart(fresh, 100)).toBeNull()
    expect(loweredStart(fresh, 640)).toBeNull()
    const { at } = fresh
    const low = addEvent(MODEL, fresh, limited(20, at))
    expect(assess(MODEL, low, at).whole).toBe(20)
    expect(loweredStart(low, 27)).toBeNull()
    expect(loweredStart(low, 40)).toBeNull()
    expect(loweredStart(low, 9)).toBe(0)
    const raised = addEvent(MODEL, low, limited(90, at))
    expect(assess(MODEL, raised, at).whole).toBe(20)
  })

  test('stays once a platform with a vote of its own has reported, not for other reports', () => {
    const following = (event: CountedEvent) => addEvent(MODEL, evidenceOf([]), event)
    expect(loweredStart(following(reported(0.1, true)), 27)).toBe(20)
    expect(loweredStart(following(reported(0.1)), 27)).toBe(20)
    expect(loweredStart(following(reported(0.5)), 27)).toBeNull()
    expect(loweredStart(following(reported(1)), 27)).toBeNull()
  })

  test('never raises a score, whatever was reported', () => {
    fc.assert(
      fc.property(history, ceiling, ceiling, (steps, initial, most) => {
        const evidence = evidenceOf(steps, initial)
        const { at } = evidence
        const after = assess(MODEL, addEvent(MODEL, evidence, limited(most, at)), at).whole
        expect(after).toBeLessThanOrEqual(assess(MODEL, evidence, at).whole + DUST)
      }),
      { numRuns: drawn(200) },
    )
  })
})
