import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawn } from '../../test/support/cases.ts'
import { assess } from './assess.ts'
import { addEvent, type CountedEvent, foldEvents } from './evidence.ts'
import { decodeEvidence, encodeEvidence } from './evidence-codec.ts'
import { type Evidence, newEvidence } from './evidence-state.ts'
import { MODEL } from './model.ts'
import { scoreAt } from './score.ts'
import { eventsOf, history, START } from './testing/histories.ts'
import { DAY_MS } from './time.ts'

const NEW = newEvidence(MODEL, START)
const fold = (events: readonly CountedEvent[], from: Evidence = NEW) =>
  foldEvents(MODEL, from, events)

const histories = history.map(eventsOf)

/** Which of the platforms of the histories one owner runs. */
const OWNED = ['platform-0', 'platform-1', 'platform-2']
const isOwned = ({ reporter, self }: CountedEvent) => !self && OWNED.includes(reporter)
const byOwner = (events: readonly CountedEvent[]) =>
  events.map((event) => (isOwned(event) ? { ...event, voter: 'owner' } : event))

describe('platforms of one owner', () => {
  test('have the vote that one platform would have with all of their reports', () => {
    fc.assert(
      fc.property(histories, (events) => {
        const asOne = events.map((event) =>
          isOwned(event) ? { ...event, reporter: 'owner' } : event,
        )
        expect(fold(byOwner(events))).toEqual(fold(asOne))
      }),
      { numRuns: drawn(300) },
    )
  })

  test('have it whether events are folded together or one by one, and after it was stored', () => {
    fc.assert(
      fc.property(histories, fc.nat(), (all, split) => {
        // The first ones are of a time at which no voter was recorded.
        const at = split % (all.length + 1)
        const events = [...all.slice(0, at), ...byOwner(all.slice(at))]
        const evidence = fold(events)
        expect(events.reduce((before, event) => addEvent(MODEL, before, event), NEW)).toEqual(
          evidence,
        )
        const stored = decodeEvidence(MODEL, encodeEvidence(fold(events.slice(0, at))))
        expect(fold(events.slice(at), stored)).toEqual(evidence)
        expect(decodeEvidence(MODEL, encodeEvidence(evidence))).toEqual(evidence)
      }),
      { numRuns: drawn(300) },
    )
  })
})

const task = (reporter: string, day: number, more: Partial<CountedEvent> = {}): CountedEvent => {
  const at = START + day * DAY_MS
  return { type: 'task.completed', data: {}, reporter, self: false, at, ...more }
}
const days = (from: number, to: number, make: (day: number) => readonly CountedEvent[]) =>
  Array.from({ length: to - from }, (_, i) => make(from + i)).flat()

describe('votes of a time at which no voter was recorded', () => {
  const before = fold(days(0, 20, (day) => [task('p1', day), task('p2', day), task('p3', day)]))

  test('are continued by the owner’s at their place, so that a platform never has two', () => {
    const voters = (events: readonly CountedEvent[]) =>
      fold(events, before).sources.map(({ voter }) => voter)
    expect(voters([])).toEqual(['p1', 'p2', 'p3'])
    expect(voters([task('p2', 20, { voter: 'owner' })])).toEqual(['p1', 'owner', 'p3'])
    const ofBoth = ['p2', 'p1'].map((by) => task(by, 20, { voter: 'owner' }))
    expect(voters(ofBoth)).toEqual(['owner', 'p3'])
    // So it is where the report itself has no vote of its own.
    expect(voters([task('p2', 20, { voter: 'owner', reporterWeight: 0.1 })])).toEqual([
      'p1',
      'owner',
      'p3',
    ])
  })

  test('that are joined have the reports of both, and no more weight than one', () => {
    const [joined] = fold(
      ['p1', 'p2'].map((by) => task(by, 20, { voter: 'owner' })),
      before,
    ).sources
    const [one] = fold(
      days(0, 20, (day) => [task('p1', day), task('p1', day)]).concat([
        task('p1', 20),
        task('p1', 20),
      ]),
    ).sources
    expect(joined?.positiveWeight).toBe(1)
    expect(joined?.reliabilityGood).toBeCloseTo(one?.reliabilityGood ?? 0, 3)
  })

  test('of which one denied the agent still deny it when they are joined', () => {
    const failed = { type: 'task.failed' } as const
    const against = fold(
      days(20, 30, (day) => Array.from({ length: 10 }, () => task('p2', day, failed))),
      before,
    )
    const joined = fold([task('p1', 30, { voter: 'o' }), task('p2', 30, { voter: 'o' })], against)
    expect(joined.sources[0]).toMatchObject({ voter: 'o', negativeWeightMax: 1 })
    const [, denial] = against.sources
    expect(joined.sources[0]?.reliabilityBad).toBeCloseTo(denial?.reliabilityBad ?? 0, 0)
  })
})

describe('an agent', () => {
  const praise = (owners: readonly (string | null)[]) =>
    fold(
      days(0, 120, (day) =>
        owners.flatMap((voter, i) => [
          task(`p${i}`, day, { voter }),
          task(`p${i}`, day, { voter, type: 'payment.completed', data: { amount: 20 } }),
        ]),
      ),
    )
  const at = START + 120 * DAY_MS

  test('is Excellent by two platforms of two owners, and by none of however many of one', () => {
    const tierBy = (owners: readonly (string | null)[]) =>
      scoreAt(MODEL, praise(owners), at).classification
    expect(tierBy([null, null])).toBe('excellent')
    expect(tierBy(['o1', 'o2'])).toBe('excellent')
    expect(tierBy(['o1', null])).toBe('excellent')
    expect(tierBy(['o1', 'o1'])).toBe('good')
    expect(tierBy(['o1', 'o1', 'o1', 'o1', 'o1'])).toBe('good')
  })

  test('loses no more by slander of several platforms of one owner than by that of one', () => {
    const slander = (platforms: number, isOfOne: boolean) =>
      fold(
        days(120, 150, (day) =>
          Array.from({ length: 10 * platforms }, (_, i) => {
            const voter = isOfOne ? 'liar' : null
            return task(`liar-${i % platforms}`, day, { type: 'task.failed', voter })
          }),
        ),
        praise([null, null, null]),
      )
    const score = (platforms: number, isOfOne: boolean) =>
      assess(MODEL, slander(platforms, isOfOne), START + 150 * DAY_MS).whole
    for (const platforms of [2, 5]) {
      expect(Math.abs(score(platforms, true) - score(1, true))).toBeLessThan(5)
      expect(score(platforms, false)).toBeLessThan(score(1, true) - 50)
    }
    const disputed = scoreAt(MODEL, slander(5, true), START + 150 * DAY_MS).disputed
    expect(disputed).toEqual({ isDisputed: true, platformsFor: 3, platformsAgainst: 1 })
  })

  test('withdraws by a platform that is not established what its others praised, and gains no weight by it', () => {
    const weak = (voter: string | null, praised: readonly (string | null)[]) =>
      fold(
        days(120, 150, (day) =>
          Array.from({ length: 20 }, () =>
            task('weak', day, { type: 'task.failed', voter, reporterWeight: 0.1 }),
          ),
        ),
        praise(praised),
      )
    const at = START + 150 * DAY_MS
    const whole = (evidence: Evidence) => assess(MODEL, evidence, at).whole
    const [own, alone] = [weak('o1', ['o1', null, null]), weak(null, [null, null, null])]
    expect(own.crowd).toEqual(alone.crowd)
    expect(own.sources.slice(1)).toEqual(alone.sources.slice(1))
    expect(own.sources[0]).toMatchObject({ positiveWeight: 0, negativeWeight: 0 })
    expect(whole(own)).toBeCloseTo(whole(weak(null, [null, null])), -1)
  })
})
