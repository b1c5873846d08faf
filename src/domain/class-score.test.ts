import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawn } from '../../test/support/cases.ts'
import { assess } from './assess.ts'
import { classScoreAt, evidenceInClass } from './class-score.ts'
import { impactOf } from './event-weight.ts'
import { addEvent, type CountedEvent, foldEvents } from './evidence.ts'
import { decodeEvidence, encodeEvidence } from './evidence-codec.ts'
import { type Evidence, newEvidence } from './evidence-state.ts'
import { forecastFrom } from './forecast.ts'
import { MODEL } from './model.ts'
import { scoreAt } from './score.ts'
import { DUST } from './testing/dust.ts'
import { ceiling, evidenceOf, history, reporterOf, step, wait } from './testing/histories.ts'
import { DAY_MS } from './time.ts'

const START = 20_000 * DAY_MS
const DAYS = 60

interface Stream extends Partial<CountedEvent> {
  readonly taskClass?: string
  /** Of each day. */
  readonly good?: number
  readonly bad?: number
}

/** An agent after two months of these reports. */
function agent(...streams: readonly Stream[]): Evidence {
  const events: CountedEvent[] = []
  for (let day = 0; day < DAYS; day++) {
    for (const { taskClass, good = 0, bad = 0, ...rest } of streams) {
      for (let i = 0; i < good + bad; i++) {
        const type = i < good ? 'task.completed' : 'task.failed'
        const data = taskClass === undefined ? {} : { taskClass }
        events.push({ type, data, reporter: 'p', self: false, ...rest, at: START + day * DAY_MS })
      }
    }
  }
  return foldEvents(MODEL, newEvidence(MODEL, START), events)
}

function inClass(evidence: Evidence, name: string) {
  return classScoreAt(MODEL, evidence, name, evidence.at)
}

function whole(evidence: Evidence): number {
  return scoreAt(MODEL, evidence, evidence.at).score
}

describe('the score of a class of work', () => {
  const coder = agent({ taskClass: 'code', good: 12 }, { taskClass: 'legal', good: 1, bad: 2 })

  test('is lower where the agent fails more often than elsewhere, and higher where it fails less', () => {
    expect(inClass(coder, 'legal').score).toBeLessThan(whole(coder) - 100)
    expect(inClass(coder, 'code').score).toBeGreaterThan(whole(coder) + 50)
  })

  test('differs from the overall score by the stated difference', () => {
    for (const name of ['code', 'legal', 'unknown']) {
      const { score, difference } = inClass(coder, name)
      expect(score - difference).toBe(whole(coder))
    }
  })

  test('is the overall score for an unknown class, and marked as unknown', () => {
    const { interval, classification, disputed } = scoreAt(MODEL, coder, coder.at)
    expect(inClass(coder, 'unknown')).toEqual({
      name: 'unknown',
      isKnown: false,
      eventCount: 0,
      platforms: 0,
      score: whole(coder),
      classification,
      confidence: 'low',
      interval,
      disputed,
      difference: 0,
      forecast: forecastFrom(MODEL, coder).task,
    })
  })

  test('bases its confidence on the reports of the class', () => {
    expect(inClass(coder, 'code')).toMatchObject({ eventCount: 720, confidence: 'high' })
    expect(inClass(coder, 'legal')).toMatchObject({ eventCount: 180, confidence: 'medium' })
  })

  test('has a forecast of its own', () => {
    expect(inClass(coder, 'legal').forecast?.probability).toBeCloseTo(0.38, 1)
    expect(inClass(coder, 'code').forecast?.probability).toBeGreaterThan(0.98)
  })

  test('stays near the overall score after one report of the class, with a wider interval', () => {
    const good = agent({ good: 20, bad: 1 })
    const praised = addEvent(MODEL, good, one('task.completed', 'legal', good))
    const blamed = addEvent(MODEL, good, one('task.failed', 'legal', good))
    expect(Math.abs(inClass(praised, 'legal').difference)).toBeLessThan(5)
    expect(Math.abs(inClass(blamed, 'legal').difference)).toBeLessThan(25)
    const { low, high } = inClass(praised, 'legal').interval
    const of = scoreAt(MODEL, praised, praised.at).interval
    expect(high - low).toBeGreaterThan(of.high - of.low)
  })

  test('is the same after the evidence was stored and read', () => {
    const again = decodeEvidence(MODEL, encodeEvidence(coder))
    expect(again).toEqual(coder)
    expect(inClass(again, 'legal')).toEqual(inClass(coder, 'legal'))
  })
})

function one(type: CountedEvent['type'], taskClass: string, { at }: Evidence): CountedEvent {
  return { type, data: { taskClass }, reporter: 'p', self: false, at }
}

describe('a class score cannot be manipulated', () => {
  const platforms = ['a', 'b', 'c', 'd'].map((reporter) => ({ reporter, good: 5 }))

  test('by one praise: a bad agent stays untrusted in the class', () => {
    const bad = agent({ good: 1, bad: 4 })
    const praised = addEvent(MODEL, bad, one('task.completed', 'new', bad))
    expect(inClass(praised, 'new').score).toBeLessThan(whole(praised) + 25)
    expect(inClass(praised, 'new').classification).toBe('untrusted')
  })

  test('by an agent’s reports about itself', () => {
    const bad = agent({ good: 2, bad: 2 }, { taskClass: 'own', good: 20, self: true })
    expect(inClass(bad, 'own')).toMatchObject({ isKnown: false, difference: 0 })
  })

  test('by platforms that share a vote', () => {
    const bad = agent(
      { good: 2, bad: 2 },
      { taskClass: 'own', good: 20, reporter: 'new', reporterWeight: 0.1 },
    )
    expect(inClass(bad, 'own')).toMatchObject({ isKnown: false, difference: 0 })
  })

  test('by one of five platforms against a class that all know', () => {
    const known = platforms.map((stream) => ({ ...stream, taskClass: 'code' }))
    const before = agent(...known)
    const slandered = agent(...known, { reporter: 'e', taskClass: 'code', bad: 50 })
    expect(inClass(slandered, 'code').score).toBeGreaterThan(inClass(before, 'code').score - 20)
  })

  test('by one platform in a class that the others do not name', () => {
    const slandered = agent(...platforms, { reporter: 'e', taskClass: 'code', bad: 50 })
    expect(Math.abs(inClass(slandered, 'code').difference)).toBeLessThan(5)
  })

  test('by invented classes, which displace only those of the same reporter', () => {
    let evidence = agent(...platforms.map((stream) => ({ ...stream, taskClass: 'code' })))
    const before = { eventCount: 1200, platforms: 4 }
    for (let i = 0; i < 500; i++) {
      evidence = addEvent(MODEL, evidence, {
        ...one('task.completed', `invented-${i}`, evidence),
        reporter: 'd',
      })
    }
    const { eventCount, platforms: known } = inClass(evidence, 'code')
    expect({ eventCount, platforms: known }).toEqual(before)
    const kept = evidence.sources.map(({ classes }) => classes.length)
    expect(kept).toEqual([1, 1, 1, MODEL.classesMax])
  })
})

test('a model that keeps no classes scores the whole record the same', () => {
  const model = { ...MODEL, classesMax: 0 }
  const start = newEvidence(MODEL, START)
  const at = START + DAY_MS
  const events = ['code', 'legal', 'code'].map((name) =>
    one('task.completed', name, { ...start, at }),
  )
  const [without, kept] = [model, MODEL].map((its) => foldEvents(its, start, events))
  expect(without?.sources.map(({ classes }) => classes.length)).toEqual([0])
  expect(without && scoreAt(model, without, at)).toEqual(kept && scoreAt(MODEL, kept, at))
})

test.each([
  ['good', 'positive'],
  ['bad', 'negative'],
] as const)(
  'one more %s report of a class never moves its score in the wrong direction',
  (_, impact) => {
    fc.assert(
      fc.property(
        history,
        ceiling,
        step,
        (steps, initialCeiling, { type, data, platform, self }) => {
          fc.pre(impactOf(MODEL, type, data) === impact)
          const before = evidenceOf(steps, initialCeiling)
          const { at } = before
          const event = { type, data: { ...data, taskClass: 'code' }, at }
          const after = addEvent(MODEL, before, { ...event, ...reporterOf(platform, self) })
          const points = (evidence: Evidence) =>
            assess(MODEL, evidenceInClass(MODEL, evidence, 'code'), at).whole
          const difference = points(after) - points(before)
          return impact === 'positive' ? difference >= -DUST : difference <= DUST
        },
      ),
      { numRuns: drawn(1000) },
    )
  },
)

test('every figure of a class stays in its range, for any history and any later time', () => {
  fc.assert(
    fc.property(history, ceiling, wait, (steps, initialCeiling, wait) => {
      const evidence = evidenceOf(steps, initialCeiling)
      const of = classScoreAt(MODEL, evidence, 'code', evidence.at + Math.max(0, wait))
      const { low, high } = of.interval
      return 0 <= low && low <= of.score && of.score <= high && high <= 1000
    }),
    { numRuns: drawn(1000) },
  )
})
