/**
 * What agents of different conduct get, without fraud rules or learnt reporter weights. Attacks on the
 * whole ingest are in lab/eval/bounds.test.ts.
 */

import { expect, test } from 'vitest'
import type { EventData, EventType } from './event.ts'
import { type CountedEvent, foldEvents } from './evidence.ts'
import { type Evidence, newEvidence } from './evidence-state.ts'
import { MODEL } from './model.ts'
import { scoreAt } from './score.ts'
import { below, type Chance, chanceOf } from './testing/chance.ts'
import { DAY_MS } from './time.ts'

const START = 20_000 * DAY_MS

type Reported = readonly [type: EventType, reporter: string, data?: EventData]

function onDay(evidence: Evidence, day: number, reported: readonly Reported[]): Evidence {
  const at = START + day * DAY_MS
  const events: CountedEvent[] = reported.map(([type, reporter, data = {}], i) => {
    return { type, data, reporter, self: false, at: at + i }
  })
  return foldEvents(MODEL, evidence, events)
}

const scoreOn = (evidence: Evidence, day: number) =>
  scoreAt(MODEL, evidence, START + day * DAY_MS).score

/** An ordinary day: eight tasks and three payments over the platforms, a share of them good. */
function ordinaryDay(chance: Chance, platforms: number, good = 0.97): Reported[] {
  const where = () => `p${below(chance, platforms)}`
  const task = (): Reported => [chance() < good ? 'task.completed' : 'task.failed', where()]
  const pay = (): Reported => {
    const data = { amount: 10 + below(chance, 100), currency: 'USD', daysLate: 3 }
    return [chance() < good ? 'payment.completed' : 'payment.late', where(), data]
  }
  return [...Array.from({ length: 8 }, task), ...Array.from({ length: 3 }, pay)]
}

/** An agent of this many days, with a credential by a platform. */
function raised(days: number, platforms = 4, good = 0.97) {
  const chance = chanceOf(days + platforms + 100 * good)
  let evidence = onDay(newEvidence(MODEL, START), 0, [['credential.issued', 'p0']])
  for (let day = 0; day < days; day++) {
    evidence = onDay(evidence, day, ordinaryDay(chance, platforms, good))
  }
  return { evidence, chance }
}

test('an honest agent becomes Good in the first month and stays so; a flawless one becomes Excellent', () => {
  expect(scoreOn(raised(30).evidence, 30)).toBeGreaterThanOrEqual(650)
  expect(scoreOn(raised(180).evidence, 180)).toBeGreaterThanOrEqual(750)
  expect(scoreOn(raised(180, 4, 1).evidence, 180)).toBeGreaterThanOrEqual(900)
})

test('an outage that one platform reports every hour takes as much as one that it reports once a day', () => {
  const afterOutage = (timesADay: number) => {
    const { evidence, chance } = raised(60, 3)
    let later = evidence
    let highest = 0
    for (let day = 60; day < 90; day++) {
      const down: Reported = ['uptime.report', 'monitor', { uptimePercentage: 0 }]
      const outage = Array.from({ length: timesADay }, () => down)
      later = onDay(later, day, [...ordinaryDay(chance, 3), ...outage])
      highest = day < 65 ? 0 : Math.max(highest, scoreOn(later, day))
    }
    return highest
  }
  for (const timesADay of [1, 8, 24, 96]) {
    expect(afterOutage(timesADay)).toBeLessThanOrEqual(638)
  }
})

test('a better agent scores higher: 50, 75, 90, 95, 97 and 100 % good', () => {
  const scores = [0.5, 0.75, 0.9, 0.95, 0.97, 1].map((good) =>
    scoreOn(raised(180, 4, good).evidence, 180),
  )
  expect(scores).toEqual([...new Set(scores)].sort((a, b) => a - b))
  expect(scores[0]).toBeLessThan(300)
})

test.each([
  ['the three platforms that saw it bad', ['p0', 'p1', 'p2'], 500, 1000],
  ['three new platforms, against one of four that saw it bad', ['q0', 'q1', 'q2'], 500, 1000],
  ['one of the three that saw it bad, with the others silent', ['p0'], 300, 649],
])(
  'an agent that was bad for 60 days and flawless for 180, by %s, scores %s: %i to %i',
  (_, platforms, least, most) => {
    let { evidence } = raised(60, platforms[0] === 'q0' ? 1 : 3, 0.35)
    expect(scoreOn(evidence, 60)).toBeLessThan(300)
    for (let day = 60; day < 240; day++) {
      const spotless = Array.from({ length: 10 }, (_, i): Reported => {
        const reporter = platforms[(day + i) % platforms.length] ?? ''
        return i % 3
          ? ['task.completed', reporter]
          : ['payment.completed', reporter, { amount: 50 }]
      })
      evidence = onDay(evidence, day, spotless)
    }
    expect(scoreOn(evidence, 240)).toBeGreaterThanOrEqual(least)
    expect(scoreOn(evidence, 240)).toBeLessThanOrEqual(most)
  },
)

test.each([1, 3])(
  'an agent that cheats while it is Good, through %i platforms, stays Good only with less than a quarter of bad payments',
  (platforms) => {
    let { evidence, chance } = raised(180, platforms)
    let bad = 0
    const all = 180 * 10
    for (let i = 0; i < all; i++) {
      const day = 180 + Math.floor(i / 10)
      const cheats = scoreOn(evidence, day) >= 650
      if (cheats) {
        bad += 1
      }
      const data = { amount: 50, currency: 'USD' }
      const type = cheats ? 'payment.failed' : 'payment.completed'
      evidence = onDay(evidence, day, [
        [type, `p${below(chance, platforms)}`, data],
        ['task.completed', `p${below(chance, platforms)}`],
      ])
    }
    expect(bad / all).toBeLessThan(0.25)
  },
)

test('an agent that turns bad loses Good within thirty reports, and becomes untrusted in three days', () => {
  const { evidence, chance } = raised(180)
  const badReports = Array.from({ length: 60 }, (_, i): Reported => {
    const reporter = `p${below(chance, 4)}`
    return i % 3 ? ['task.failed', reporter] : ['payment.failed', reporter, { amount: 50 }]
  })
  expect(scoreOn(onDay(evidence, 180, badReports.slice(0, 30)), 180)).toBeLessThan(650)
  let now = evidence
  for (let day = 180; day < 183; day++) {
    now = onDay(now, day, badReports.slice(0, 25))
  }
  expect(scoreOn(now, 183)).toBeLessThan(300)
})

test('an agent that stops working is Untrusted after sixty failures, however good it was before', () => {
  const platforms = ['p0', 'p1', 'p2', 'p3']
  for (const good of [0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 0.97]) {
    const { evidence } = raised(180, 4, good)
    const failures = Array.from({ length: 15 }, () =>
      platforms.map((reporter): Reported => ['task.failed', reporter]),
    )
    expect(scoreOn(onDay(evidence, 180, failures.flat()), 180), `${good}`).toBeLessThan(100)
  }
})

/** An honest agent of half a year from whose 181st day on one platform of four sees this share of good deals. */
function changedAtOne(good: number, days: number): { evidence: Evidence; scores: number[] } {
  let { evidence, chance } = raised(180)
  const scores: number[] = []
  for (let day = 180; day < 180 + days; day++) {
    const deals = Array.from({ length: 10 }, (): Reported => {
      return [chance() < good ? 'payment.completed' : 'payment.disputed', 'p3', { amount: 50 }]
    })
    evidence = onDay(evidence, day, [...ordinaryDay(chance, 3), ...deals])
    scores.push(scoreOn(evidence, day))
  }
  return { evidence, scores }
}

test('an agent that cheats in half of its deals at one platform of four is not Good while it does', () => {
  const { scores } = changedAtOne(0.5, 90)
  expect(Math.max(...scores.slice(2))).toBeLessThan(650)
})

test('an agent whose work becomes somewhat worse at one platform of four stays Good', () => {
  const { evidence, scores } = changedAtOne(0.9, 90)
  expect(evidence.sources.find(({ voter }) => voter === 'p3')?.vote).toBeGreaterThan(0.35)
  expect(Math.min(...scores)).toBeGreaterThanOrEqual(650)
})

test('complaints of victims that fell silent do not fade by the praise of a platform that is not established', () => {
  const platforms = ['p0', 'p1', 'p2', 'p3']
  const day = (n: number, reporters: readonly string[], rest: Partial<CountedEvent> = {}) =>
    reporters.map((reporter): CountedEvent => {
      const at = START + n * DAY_MS
      return { type: 'task.completed', data: {}, reporter, self: false, at, ...rest }
    })
  const past = Array.from({ length: 120 }, (_, n) => day(n, platforms)).flat()
  const cheated = Array.from({ length: 12 }, () =>
    day(120, platforms.slice(0, 3), { type: 'payment.disputed' }),
  ).flat()
  const praise = Array.from({ length: 20 }, (_, n) =>
    day(121 + n, ['unknown'], { reporterWeight: 0.1 }),
  ).flat()
  const [silent, praised] = [[], praise].map((events) => {
    const evidence = foldEvents(MODEL, newEvidence(MODEL, START), [...past, ...cheated, ...events])
    return scoreAt(MODEL, evidence, START + 141 * DAY_MS).score
  })
  expect(silent).toBeLessThan(400)
  expect(praised).toBeLessThan((silent ?? 0) + 30)
})

test('first complaints of three platforms bear each other out, one of a single platform costs little', () => {
  const praised = raised(60, 1, 1).evidence
  const complaints = (platforms: readonly string[]) =>
    scoreOn(
      onDay(
        praised,
        60,
        platforms.map((by): Reported => ['payment.disputed', by, { amount: 50 }]),
      ),
      60,
    )
  expect(complaints(['p1'])).toBeGreaterThan(scoreOn(praised, 60) - 20)
  expect(complaints(['p1', 'p2', 'p3'])).toBeLessThan(650)
})
