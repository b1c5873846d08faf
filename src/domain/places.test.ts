import { describe, expect, test } from 'vitest'
import { assess } from './assess.ts'
import { addEvent, type CountedEvent, foldEvents } from './evidence.ts'
import { decodeEvidence, encodeEvidence } from './evidence-codec.ts'
import { newEvidence } from './evidence-state.ts'
import { MODEL } from './model.ts'
import { scoreAt } from './score.ts'
import { DAY_MS } from './time.ts'

const START = 20_000 * DAY_MS
const NEW = newEvidence(MODEL, START)

const task = (reporter: string, day = 0, more: Partial<CountedEvent> = {}): CountedEvent => {
  const at = START + day * DAY_MS
  return { type: 'task.completed', data: {}, reporter, self: false, at, ...more }
}
const names = (count: number, prefix = 'p') => Array.from({ length: count }, (_, i) => prefix + i)
const days = (from: number, to: number, make: (day: number) => readonly CountedEvent[]) =>
  Array.from({ length: to - from }, (_, i) => make(from + i)).flat()

/** The first twenty-four platforms, served well for two months. */
const FIRST = names(24)
const SERVED = foldEvents(
  MODEL,
  NEW,
  days(0, 60, (day) => FIRST.map((reporter) => task(reporter, day))),
)
const failed = (reporter: string, day: number) => task(reporter, day, { type: 'task.failed' })
const wholeOn = (evidence: typeof NEW, day: number) =>
  assess(MODEL, evidence, START + day * DAY_MS).whole

describe('established platforms after the twenty-fourth', () => {
  test('have the same vote in any order of arrival', () => {
    const later = names(100, 'later')
    const votes = (order: readonly string[]) => {
      const { sources } = foldEvents(
        MODEL,
        SERVED,
        order.map((reporter, i) => task(reporter, 60, i % 3 ? {} : { type: 'task.failed' })),
      )
      return sources.slice(24).map(({ voter, reliabilityGood, reliabilityBad }) => {
        return `${voter} ${reliabilityGood + reliabilityBad}`
      })
    }
    expect(votes(later).sort()).toEqual(votes([...later].reverse()).sort())
    expect(votes(later).length).toBeGreaterThan(30)
  })

  test('take Good from an agent that defrauds sixteen of them, and cannot by slander of six', () => {
    const cheating = (count: number) => {
      const events = days(60, 70, (day) => [
        ...FIRST.map((by) => task(by, day)),
        ...names(count, 'v').map((by) => failed(by, day)),
      ])
      return foldEvents(MODEL, SERVED, events)
    }
    const at = START + 70 * DAY_MS
    expect(wholeOn(SERVED, 60)).toBeGreaterThan(700)
    expect(wholeOn(cheating(16), 70)).toBeLessThan(650)
    expect(scoreAt(MODEL, cheating(16), at).disputed).toMatchObject({ isDisputed: true })
    expect(wholeOn(cheating(6), 70)).toBeGreaterThan(700)
  })

  test('have one vote at most each, however many reports they send', () => {
    const flood = (count: number) =>
      foldEvents(
        MODEL,
        SERVED,
        days(60, 63, (day) => Array.from({ length: count }, () => failed('rival', day))),
      )
    expect(flood(2000).sources).toHaveLength(25)
    expect(wholeOn(flood(2000), 63)).toBeGreaterThan(wholeOn(SERVED, 63) - 10)
  })

  test('count also where the first twenty-four ordered once and are idle', () => {
    const idle = foldEvents(
      MODEL,
      NEW,
      FIRST.map((reporter) => task(reporter)),
    )
    const events = days(1, 60, (day) => names(30, 'new').map((reporter) => task(reporter, day)))
    expect(wholeOn(foldEvents(MODEL, idle, events), 60)).toBeGreaterThan(650)
  })

  test('share no vote that was one’s own, and no class of work', () => {
    const named = { data: { taskClass: 'translation' } }
    const { sources } = foldEvents(MODEL, SERVED, [
      ...FIRST.map((reporter) => task(reporter, 60, named)),
      ...names(100, 'later').map((reporter) => task(reporter, 60, named)),
    ])
    const own = sources.slice(0, 24)
    expect(own.map(({ voter }) => voter)).toEqual(FIRST)
    expect(
      own.every(({ reliabilityGood, classes }) => reliabilityGood < 62 && classes.length === 1),
    ).toBe(true)
    expect(sources.slice(24).every(({ classes }) => classes.length === 0)).toBe(true)
  })

  test('are of the crowd while they are not established', () => {
    for (const reporterWeight of [0.1, 0.5]) {
      const after = addEvent(MODEL, SERVED, task('later', 60, { reporterWeight }))
      expect(after.sources).toHaveLength(24)
      expect(after.crowd.reliabilityGood).toBe(1)
    }
  })

  test('with one owner share one of these votes', () => {
    const { sources } = foldEvents(
      MODEL,
      SERVED,
      names(30, 'later').map((reporter) => task(reporter, 60, { voter: 'owner' })),
    )
    expect(sources).toHaveLength(25)
    expect(sources[24]?.reliabilityGood).toBe(30)
  })

  test('have votes that are stored exactly, and folded alike one by one', () => {
    const events = days(60, 63, (day) =>
      names(90, 'later').map((by, i) => (i % 5 ? task(by, day) : failed(by, day))),
    )
    const all = foldEvents(MODEL, SERVED, events)
    expect(decodeEvidence(MODEL, encodeEvidence(all))).toStrictEqual(all)
    expect(events.reduce((before, event) => addEvent(MODEL, before, event), SERVED)).toEqual(all)
  })
})

describe('platforms that were provisional while others were not established', () => {
  const three = names(3)
  const provisional = { reporterWeight: 0.5 }
  const crowd = { reporterWeight: 0.1 }
  const praised = foldEvents(
    MODEL,
    NEW,
    days(0, 60, (day) =>
      three.flatMap((by) => [task(by, day, provisional), task(by, day, provisional)]),
    ),
  )

  test('take back their praise, although they are of the crowd by then', () => {
    const denied = foldEvents(
      MODEL,
      praised,
      days(60, 90, (day) => three.map((by) => ({ ...failed(by, day), ...crowd }))),
    )
    expect(wholeOn(praised, 60)).toBeGreaterThan(650)
    expect(wholeOn(denied, 90)).toBeLessThan(300)
  })

  test('find that an agent has become better, too', () => {
    const both = (from: number, to: number, isBad: (i: number) => boolean, more: object) =>
      days(from, to, (day) =>
        three.flatMap((by) =>
          Array.from({ length: 5 }, (_, i) => ({
            ...(isBad(i) ? failed(by, day) : task(by, day)),
            ...more,
          })),
        ),
      )
    const bad = foldEvents(
      MODEL,
      NEW,
      both(0, 30, (i) => i < 3, provisional),
    )
    const better = foldEvents(
      MODEL,
      bad,
      both(30, 200, () => false, crowd),
    )
    expect(wholeOn(bad, 30)).toBeLessThan(300)
    expect(wholeOn(better, 200)).toBeGreaterThan(600)
  })
})

describe('platforms that have lost their weight, of an agent that established ones know', () => {
  const crowd = { reporterWeight: 0.1 }
  const six = names(6)
  const established = names(2, 'e')
  const reported = (from: number, to: number, bad: number, more: Partial<CountedEvent>) =>
    days(from, to, (day) => [
      ...six.flatMap((by) =>
        Array.from({ length: 5 }, (_, i) => ({
          ...(i < bad ? failed(by, day) : task(by, day)),
          ...more,
        })),
      ),
      ...(day < 60 ? [] : established.map((by) => (bad > 2 ? failed(by, day) : task(by, day)))),
    ])
  const fold = (...parts: readonly (readonly CountedEvent[])[]) =>
    foldEvents(MODEL, NEW, parts.flat())

  test.each([
    ['while they were provisional', 0.5],
    ['while they were established', 1],
  ])('withdraw what they praised %s', (_, reporterWeight) => {
    const praised = reported(0, 60, 0, { reporterWeight })
    expect(wholeOn(fold(praised), 60)).toBeGreaterThan(650)
    expect(wholeOn(fold(praised, reported(60, 150, 5, crowd)), 150)).toBeLessThan(100)
    const slander = reported(60, 150, 5, crowd).filter(({ reporter }) => reporter === 'p0')
    const others = reported(60, 150, 0, crowd).filter(({ reporter }) => reporter !== 'p0')
    expect(wholeOn(fold(praised, slander, others), 150)).toBeGreaterThan(650)
  })

  test('withdraw their complaints about an agent that has become better', () => {
    const bad = reported(0, 30, 3, { reporterWeight: 0.5 })
    const better = fold(bad, reported(30, 60, 0, crowd), reported(60, 200, 0, crowd))
    expect(wholeOn(fold(bad), 30)).toBeLessThan(300)
    expect(wholeOn(better, 200)).toBeGreaterThan(650)
  })
})

describe('more than eight provisional platforms', () => {
  const provisional = { reporterWeight: 0.5 }
  const [liars, honest] = [names(8, 'liar'), names(40, 'honest')]
  const reported = (isGood: boolean, more: Partial<CountedEvent> = provisional) =>
    days(0, 60, (day) => [
      ...liars.map((by) => ({ ...(isGood ? failed(by, day) : task(by, day)), ...provisional })),
      ...(day < 5 ? [] : honest).map((by) => ({
        ...(isGood ? task(by, day) : failed(by, day)),
        ...more,
      })),
    ])

  test('are no minority that decides because it came first', () => {
    expect(wholeOn(foldEvents(MODEL, NEW, reported(false)), 60)).toBeLessThan(200)
    expect(wholeOn(foldEvents(MODEL, NEW, reported(true)), 60)).toBeGreaterThan(500)
  })

  test('share votes from the ninth on, and take back what they said there', () => {
    const praised = foldEvents(MODEL, NEW, [
      ...days(0, 60, (day) => honest.map((by) => task(by, day, provisional))),
    ])
    const { sources } = praised
    expect(sources.slice(0, 8).map(({ voter }) => voter)).toEqual(honest.slice(0, 8))
    expect(sources.slice(8).every(({ voter }) => voter.startsWith('~'))).toBe(true)
    expect(sources.length).toBeLessThanOrEqual(48)
    const denied = foldEvents(
      MODEL,
      praised,
      days(60, 90, (day) => honest.map((by) => ({ ...failed(by, day), reporterWeight: 0.1 }))),
    )
    expect(wholeOn(praised, 60)).toBeGreaterThan(650)
    expect(wholeOn(denied, 90)).toBeLessThan(300)
  })

  test('leave votes of their own to established ones', () => {
    const before = foldEvents(MODEL, NEW, reported(true))
    const after = foldEvents(
      MODEL,
      before,
      FIRST.slice(0, 9).map((by) => task(by, 60)),
    )
    expect(after.sources.slice(before.sources.length).map(({ voter }) => voter)).toEqual(
      FIRST.slice(0, 9),
    )
    const late = addEvent(MODEL, after, task('late', 60, provisional))
    expect(late.sources).toHaveLength(after.sources.length)
    expect(late.crowd.reliabilityGood).toBe(1)
  })
})
