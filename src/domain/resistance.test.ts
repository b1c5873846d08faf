/** What attacks cost and gain. Scenarios are fixed: the numbers come from a small generator. */

import { expect, test } from 'vitest'
import type { EventData, EventType } from './event.ts'
import { type CountedEvent, type Evidence, foldEvents, newEvidence } from './evidence.ts'
import { MODEL } from './model.ts'
import { scoreAt } from './score.ts'

const DAY_MS = 86_400_000
const START = 20_000 * DAY_MS

/** The same hundredths in every run: a linear congruential generator. */
function hundredths(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor(state / 65_536) % 100
  }
}

type Told = readonly [type: EventType, reporter: string, data?: EventData]

function onDay(evidence: Evidence, day: number, told: readonly Told[]): Evidence {
  const at = START + day * DAY_MS
  const events: CountedEvent[] = told.map(([type, reporter, data = {}], i) => {
    return { type, data, reporter, self: false, at: at + i }
  })
  return foldEvents(MODEL, evidence, events)
}

const scoreOn = (evidence: Evidence, day: number) =>
  scoreAt(MODEL, evidence, START + day * DAY_MS).score

/** An ordinary day: eight tasks and three payments, so many of a hundred well, over the platforms. */
function ordinaryDay(platforms: number, next: () => number, well = 97): Told[] {
  const where = () => `p${next() % platforms}`
  const task = (): Told => [next() < well ? 'task.completed' : 'task.failed', where()]
  const pay = (): Told => {
    const data = { amount: 10 + next(), currency: 'USD', daysLate: 3 }
    return [next() < well ? 'payment.completed' : 'payment.late', where(), data]
  }
  return [...Array.from({ length: 8 }, task), ...Array.from({ length: 3 }, pay)]
}

/** An agent of so many days, with a credential by a platform. */
function raised(days: number, platforms = 4, well = 97) {
  const next = hundredths(days + platforms + well)
  let evidence = onDay(newEvidence(START), 0, [['credential.issued', 'p0']])
  for (let day = 0; day < days; day++) {
    evidence = onDay(evidence, day, ordinaryDay(platforms, next, well))
  }
  return { evidence, next }
}

test('an honest agent is Good in the first month and Excellent after half a year', () => {
  expect(scoreOn(raised(30).evidence, 30)).toBeGreaterThanOrEqual(650)
  expect(scoreOn(raised(180).evidence, 180)).toBeGreaterThanOrEqual(800)
})

test.each([2, 30])(
  'slander by one platform of four for %i days never takes a good agent below 500, and it is Good within 30 days',
  (campaign) => {
    let { evidence, next } = raised(180)
    let lowest = 1000
    for (let day = 180; day < 180 + campaign + 30; day++) {
      evidence = onDay(evidence, day, ordinaryDay(3, next))
      const slander: Told[] = Array.from({ length: 100 }, (_, i) =>
        i % 2 ? ['task.failed', 'p3'] : ['payment.disputed', 'p3', { amount: 50 }],
      )
      if (day < 180 + campaign) {
        evidence = onDay(evidence, day, slander)
      }
      lowest = Math.min(lowest, scoreOn(evidence, day))
    }
    expect(lowest).toBeGreaterThanOrEqual(500)
    expect(scoreOn(evidence, 180 + campaign + 30)).toBeGreaterThanOrEqual(650)
  },
)

test.each([
  ['three platforms that were silent', ['q0', 'q1', 'q2'], true],
  ['three platforms that saw it bad', ['p0', 'p1', 'p2'], true],
  ['one platform that was silent', ['q0'], false],
  ['one platform that saw it bad', ['p0'], false],
])('a proven-bad agent, spotless for 180 days by %s, is at least Fair: %s %s', (_, who, back) => {
  let { evidence } = raised(180, 4, 25)
  expect(scoreOn(evidence, 180)).toBeLessThan(150)
  for (let day = 180; day < 360; day++) {
    const spotless = Array.from({ length: 10 }, (_, i): Told => {
      const reporter = who[(day + i) % who.length] ?? ''
      return i % 3 ? ['task.completed', reporter] : ['payment.completed', reporter, { amount: 50 }]
    })
    evidence = onDay(evidence, day, spotless)
  }
  if (back) {
    expect(scoreOn(evidence, 360)).toBeGreaterThanOrEqual(500)
  } else {
    expect(scoreOn(evidence, 360)).toBeLessThan(300)
  }
})

test('a flood of praise through one platform takes two weeks to reach Good', () => {
  let evidence = onDay(newEvidence(START), 0, [['credential.issued', 'rogue']])
  const flood = Array.from({ length: 400 }, (_, i): Told => {
    return i % 2 ? ['task.completed', 'rogue'] : ['payment.completed', 'rogue', { amount: 1000 }]
  })
  for (let day = 0; day < 13; day++) {
    evidence = onDay(evidence, day, flood)
    expect(scoreOn(evidence, day)).toBeLessThan(650)
  }
})

test('a rogue platform cannot praise a bad agent out of untrusted', () => {
  let { evidence, next } = raised(60, 3, 35)
  for (let day = 60; day < 120; day++) {
    const praise = Array.from({ length: 100 }, (_, i): Told => {
      return i % 2 ? ['task.completed', 'rogue'] : ['payment.completed', 'rogue', { amount: 100 }]
    })
    evidence = onDay(evidence, day, [...ordinaryDay(3, next, 35), ...praise])
    expect(scoreOn(evidence, day)).toBeLessThan(300)
  }
})

test.each([1, 3])(
  'paying on and off through %i platforms, an agent stays Good only with fewer than a quarter of its payments bad',
  (platforms) => {
    let { evidence, next } = raised(180, platforms)
    let bad = 0
    const all = 180 * 10
    for (let i = 0; i < all; i++) {
      const day = 180 + Math.floor(i / 10)
      const cheat = scoreOn(evidence, day) >= 650
      if (cheat) {
        bad += 1
      }
      const data = { amount: 50, currency: 'USD' }
      const type = cheat ? 'payment.failed' : 'payment.completed'
      evidence = onDay(evidence, day, [
        [type, `p${next() % platforms}`, data],
        ['task.completed', `p${next() % platforms}`],
      ])
    }
    expect(bad / all).toBeLessThan(0.25)
  },
)

test('three hundred small payments do not pay for one large default', () => {
  let evidence = onDay(newEvidence(START), 0, [['credential.issued', 'p0']])
  for (let day = 0; day < 90; day++) {
    const task = (_: unknown, i: number): Told => ['task.completed', `p${i % 4}`]
    const small = (_: unknown, i: number): Told => ['payment.completed', `p${i % 4}`, { amount: 1 }]
    evidence = onDay(evidence, day, Array.from({ length: 8 }, task))
    if (day >= 60) {
      evidence = onDay(evidence, day, Array.from({ length: 10 }, small))
    }
  }
  const fraud: Told = ['payment.failed', 'p0', { amount: 5000, currency: 'USD' }]
  expect(scoreOn(evidence, 90)).toBeGreaterThanOrEqual(650)
  expect(scoreOn(onDay(evidence, 90, [fraud]), 90)).toBeLessThan(500)
})

test('betrayal shows within days', () => {
  const { evidence, next } = raised(180)
  const betrayal = Array.from({ length: 60 }, (_, i): Told => {
    const reporter = `p${next() % 4}`
    return i % 3 ? ['task.failed', reporter] : ['payment.failed', reporter, { amount: 50 }]
  })
  expect(scoreOn(onDay(evidence, 180, betrayal.slice(0, 30)), 180)).toBeLessThan(650)
  let now = evidence
  for (let day = 180; day < 183; day++) {
    now = onDay(now, day, betrayal.slice(0, 25))
  }
  expect(scoreOn(now, 183)).toBeLessThan(300)
})
