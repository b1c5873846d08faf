/** What holds for every history. The histories are random, and lean to the corners of the model. */

import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawn } from '../../test/support/cases.ts'
import { assess } from './assess.ts'
import { impactOf } from './event-weight.ts'
import { addEvent, foldEvents } from './evidence.ts'
import { decodeEvidence, encodeEvidence } from './evidence-codec.ts'
import { newEvidence } from './evidence-state.ts'
import { MODEL } from './model.ts'
import { scoreAt } from './score.ts'
import { DUST } from './testing/dust.ts'
import {
  ceiling,
  eventsOf,
  evidenceOf,
  history,
  reporterOf,
  START,
  step,
  wait,
} from './testing/histories.ts'

/** Seconds on an idle machine; `npm run monotone` tries a thousand times as many cases. */
const TIMEOUT_MS = 120_000

describe('one more event, at the same instant', () => {
  const property = (
    impact: 'positive' | 'negative',
    holds: (before: number, after: number) => boolean,
  ) =>
    fc.property(
      history,
      ceiling,
      step,
      (steps, initialCeiling, { type, data, platform, self, wait }) => {
        fc.pre(impactOf(MODEL, type, data) === impact)
        const evidence = evidenceOf(steps, initialCeiling)
        const at = evidence.at + Math.max(0, wait)
        const event = { type, data, ...reporterOf(platform, self), at }
        const more = addEvent(MODEL, evidence, event)
        return (
          holds(assess(MODEL, evidence, at).whole, assess(MODEL, more, at).whole) &&
          holds(scoreAt(MODEL, evidence, at).score, scoreAt(MODEL, more, at).score)
        )
      },
    )

  test('never lowers the score if it is good', { timeout: TIMEOUT_MS }, () => {
    fc.assert(
      property('positive', (before, after) => after >= before - DUST),
      { numRuns: drawn(1000) },
    )
  })

  test('never raises the score if it is bad', { timeout: TIMEOUT_MS }, () => {
    fc.assert(
      property('negative', (before, after) => after <= before + DUST),
      { numRuns: drawn(1000) },
    )
  })
})

test('every figure stays in its range, for any history and any later time', {
  timeout: TIMEOUT_MS,
}, () => {
  fc.assert(
    fc.property(history, ceiling, wait, (steps, initialCeiling, wait) => {
      const evidence = evidenceOf(steps, initialCeiling)
      const { score, interval, breakdown } = scoreAt(MODEL, evidence, evidence.at + wait)
      const parts = Object.values(breakdown)
      const figures = [interval.low, score, interval.high]
      expect(figures).toEqual([...figures].sort((a, b) => a - b))
      for (const figure of [...figures, ...parts.map((part) => part.score)]) {
        expect(Number.isInteger(figure) && figure >= 0 && figure <= 1000).toBe(true)
      }
      const weights = parts.reduce((sum, part) => sum + part.effectiveWeight, 0)
      expect(weights).toBeCloseTo(1, 9)
      const sum = parts.reduce((sum, part) => sum + part.weight * part.score, 0)
      const effective = parts.reduce((sum, part) => sum + part.effectiveWeight * part.score, 0)
      // The score and its parts are rounded, each by half a point at most.
      expect(Math.max(Math.abs(sum - score), Math.abs(effective - score))).toBeLessThanOrEqual(1)
    }),
    { numRuns: drawn(500) },
  )
})

test('stored evidence is read back to the last bit, and further events give the same result', {
  timeout: TIMEOUT_MS,
}, () => {
  fc.assert(
    fc.property(history, history, (before, after) => {
      const evidence = evidenceOf(before)
      const read = decodeEvidence(MODEL, encodeEvidence(evidence))
      expect(isDeepStrictEqual(read, evidence)).toBe(true)
      const more = eventsOf(after)
      const [fromRead, fromMemory] = [read, evidence].map((one) => foldEvents(MODEL, one, more))
      expect(isDeepStrictEqual(fromRead, fromMemory)).toBe(true)
    }),
    { numRuns: drawn(500) },
  )
})

test('events one by one give the same as all at once, and change no earlier evidence', {
  timeout: TIMEOUT_MS,
}, () => {
  fc.assert(
    fc.property(history, (steps) => {
      let evidence = newEvidence(MODEL, START)
      for (const event of eventsOf(steps)) {
        const before = encodeEvidence(evidence)
        const after = addEvent(MODEL, evidence, event)
        expect(encodeEvidence(evidence)).toEqual(before)
        evidence = after
      }
      expect(isDeepStrictEqual(evidence, evidenceOf(steps))).toBe(true)
    }),
    { numRuns: drawn(100) },
  )
})

test('reading the score, now or later, changes no evidence', () => {
  fc.assert(
    fc.property(history, wait, (steps, wait) => {
      const evidence = evidenceOf(steps)
      const before = encodeEvidence(evidence)
      scoreAt(MODEL, evidence, evidence.at + wait)
      expect(encodeEvidence(evidence)).toEqual(before)
    }),
    { numRuns: drawn(200) },
  )
})
