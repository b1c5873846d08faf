import { describe, expect, test } from 'vitest'
import { type CountedEvent, foldEvents } from './evidence.ts'
import { newEvidence } from './evidence-state.ts'
import { MODEL } from './model.ts'
import { scoreAt } from './score.ts'

const START = 20_000 * 86_400_000

/** Twenty reports by each of this many platforms. */
function reports(prefix: string, count: number, isGood: boolean): CountedEvent[] {
  return Array.from({ length: 20 * count }, (_, i) => ({
    type: isGood ? 'task.completed' : 'task.failed',
    data: {},
    reporter: `${prefix}${i % count}`,
    self: false,
    at: START,
  }))
}

function disputed(...events: readonly CountedEvent[]) {
  return scoreAt(MODEL, foldEvents(MODEL, newEvidence(MODEL, START), events), START).disputed
}

test('disagreeing platforms are counted on each side', () => {
  expect(disputed(...reports('good', 3, true), ...reports('bad', 1, false))).toEqual({
    isDisputed: true,
    platformsFor: 3,
    platformsAgainst: 1,
  })
})

test('an agent is not disputed where platforms agree, good or bad', () => {
  expect(disputed(...reports('p', 4, true))).toMatchObject({ isDisputed: false, platformsFor: 4 })
  expect(disputed(...reports('p', 4, false))).toMatchObject({
    isDisputed: false,
    platformsAgainst: 4,
  })
  expect(disputed()).toEqual({ isDisputed: false, platformsFor: 0, platformsAgainst: 0 })
})

test('one dissenting platform of eleven is shown, but does not dispute the score', () => {
  expect(disputed(...reports('good', 10, true), ...reports('bad', 1, false))).toEqual({
    isDisputed: false,
    platformsFor: 10,
    platformsAgainst: 1,
  })
})

describe('after complaints have stopped for a month', () => {
  const later = (good: number, bad: number) => {
    let evidence = foldEvents(MODEL, newEvidence(MODEL, START), reports('bad', bad, false))
    for (let day = 1; day <= 30; day++) {
      const at = START + day * 86_400_000
      const events = reports('good', good, true).map((one) => ({ ...one, at }))
      evidence = foldEvents(MODEL, evidence, events)
    }
    return scoreAt(MODEL, evidence, evidence.at)
  }

  test('an agent that they still keep from Good is disputed', () => {
    const { score, disputed } = later(2, 3)
    expect(score).toBeLessThanOrEqual(638)
    expect(disputed).toEqual({ isDisputed: true, platformsFor: 2, platformsAgainst: 3 })
  })

  test('an agent that is Good again is not disputed, and the platforms are still shown', () => {
    const { score, disputed } = later(3, 2)
    expect(score).toBeGreaterThan(650)
    expect(disputed).toEqual({ isDisputed: false, platformsFor: 3, platformsAgainst: 2 })
  })
})

test('reporters without a vote of their own cannot dispute a score', () => {
  const crowd = reports('new', 50, false).map((one) => ({ ...one, reporterWeight: 0.1 }))
  expect(disputed(...reports('good', 3, true), ...crowd)).toMatchObject({
    isDisputed: false,
    platformsAgainst: 0,
  })
})

test('a disputed score has a wider interval than an agreed one', () => {
  const width = (...events: readonly CountedEvent[]) => {
    let evidence = newEvidence(MODEL, START)
    for (let day = 0; day < 60; day++) {
      const at = START + day * 86_400_000
      evidence = foldEvents(
        MODEL,
        evidence,
        events.map((one) => ({ ...one, at })),
      )
    }
    const { low, high } = scoreAt(MODEL, evidence, evidence.at).interval
    return high - low
  }
  const agreed = width(...reports('good', 4, true))
  const disputed = width(...reports('good', 3, true), ...reports('bad', 1, false))
  expect(disputed).toBeGreaterThan(2 * agreed)
})
