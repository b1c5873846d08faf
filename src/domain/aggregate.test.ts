import { describe, expect, test } from 'vitest'
import { assess } from './assess.ts'
import type { EventType } from './event.ts'
import { type CountedEvent, foldEvents } from './evidence.ts'
import { type Evidence, newEvidence } from './evidence-state.ts'
import { MODEL } from './model.ts'
import { scoreAt } from './score.ts'
import { DAY_MS } from './time.ts'
import { voteBeside } from './vote.ts'

const START = 20_000 * DAY_MS
const DAYS = 200

/** Platforms that report only good of an agent, and platforms that report only bad. */
function evidenceBy(good: number, bad: number, reporterWeight = 1): Evidence {
  let evidence = newEvidence(MODEL, START)
  for (let day = 0; day < DAYS; day++) {
    const at = START + day * DAY_MS
    const today = Array.from({ length: good + bad }, (_, i) => {
      const isGood = i < good
      const by = { reporter: `p${i}`, self: false, reporterWeight: isGood ? 1 : reporterWeight, at }
      const task = isGood ? ('task.completed' as const) : ('task.timeout' as const)
      const payment = isGood ? ('payment.completed' as const) : ('payment.disputed' as const)
      return [
        { type: task, data: {}, ...by },
        { type: payment, data: { amount: 50 }, ...by },
      ]
    })
    evidence = foldEvents(MODEL, evidence, today.flat())
  }
  return evidence
}

const AT = START + (DAYS - 1) * DAY_MS + 1

function trustLost(good: number, bad: number): number {
  const of = (against: number) => assess(MODEL, evidenceBy(good, against), AT).aggregate.trust
  return 1 - of(bad) / of(0)
}

const scoreBy = (good: number, bad: number, reporterWeight?: number) =>
  scoreAt(MODEL, evidenceBy(good, bad, reporterWeight), AT).score

describe('the breakdown point', () => {
  test.each([
    [9, 1, 0, 0.01],
    [8, 2, 0, 0.01],
    [3, 1, 0.05, 0.12],
    [5, 2, 0.1, 0.2],
    [3, 2, 0.3, 0.4],
    [2, 2, 0.5, 0.6],
    [2, 3, 0.7, 0.8],
    [1, 3, 0.99, 1],
  ])(
    'of %i platforms for an agent and %i against it, between %d and %d of the agreed trust is lost',
    (good, bad, least, most) => {
      const lost = trustLost(good, bad)
      expect(lost).toBeGreaterThanOrEqual(least)
      expect(lost).toBeLessThanOrEqual(most)
    },
  )

  test('one more dissenting platform never takes more than a third of the trust', () => {
    const trusts = Array.from({ length: 11 }, (_, bad) => trustLost(11 - bad, bad))
    const steps = trusts.slice(1).map((lost, i) => lost - (trusts[i] ?? 0))
    expect(Math.max(...steps)).toBeLessThan(1 / 3)
    expect(Math.min(...steps)).toBeGreaterThan(-1e-9)
  })

  test('one dissenting platform of five costs nothing; one of four costs Good, and no more', () => {
    expect(scoreBy(4, 1)).toBeGreaterThan(650)
    expect(scoreBy(3, 1)).toBe(MODEL.deniedCeiling)
  })

  test('one platform of four that praises a bad agent leaves it untrusted', () => {
    expect(scoreBy(1, 3)).toBeLessThan(300)
    expect(scoreBy(1, 4)).toBeLessThan(100)
  })
})

test.each([
  [4, 1, 1, 1],
  [3, 2, 0.8, 0.9],
  [2, 3, 0.3, 0.5],
  [2, 9, 0, 0.01],
])(
  'of %i platforms for an agent and %i against it, between %d and %d of its identity counts',
  (good, bad, least, most) => {
    const { identityShare } = assess(MODEL, evidenceBy(good, bad), AT).aggregate
    expect(identityShare).toBeGreaterThanOrEqual(least)
    expect(identityShare).toBeLessThanOrEqual(most)
  },
)

test('a hundred reporters that are not established hardly outweigh three that are', () => {
  expect(scoreBy(3, 100, 0.1)).toBeGreaterThan(scoreBy(3, 0) - 10)
})

test('a provisional reporter counts half of an established one', () => {
  expect(scoreBy(3, 1, 0.5)).toBeGreaterThan(scoreBy(3, 1))
  expect(scoreBy(2, 2, 0.5)).toBeGreaterThan(scoreBy(2, 2))
})

/** So many good reports, one a day, by platforms in turn; then a bad one by as many others. */
function seldom(platforms: number, reports: number, dissenting = 0): Evidence {
  const event = { data: {}, self: false } as const
  const good = Array.from({ length: reports }, (_, i) => {
    const at = START + i * DAY_MS
    return { ...event, type: 'task.completed' as const, reporter: `p${i % platforms}`, at }
  })
  const bad = Array.from({ length: 40 * dissenting }, (_, i) => {
    const at = START + reports * DAY_MS
    return { ...event, type: 'task.timeout' as const, reporter: `d${i % dissenting}`, at }
  })
  return foldEvents(MODEL, newEvidence(MODEL, START), [...good, ...bad])
}

const trustIn = (evidence: Evidence) => assess(MODEL, evidence, evidence.at).aggregate.trust

describe('platforms that see an agent seldom', () => {
  test('trust it together about as much as three that see it often', () => {
    const three = trustIn(seldom(3, 120))
    for (const platforms of [10, 20, 40]) {
      expect(trustIn(seldom(platforms, 120))).toBeGreaterThan(0.9 * three)
    }
  })

  test('vote by what they saw alone beside a few others, or beside others that deny that it is good', () => {
    for (const evidence of [seldom(1, 5), seldom(3, 15), seldom(12, 24, 12)]) {
      for (const source of evidence.sources.filter(({ good }) => good > 0)) {
        const others = evidence.sources.filter((other) => other !== source)
        const good = others.reduce((sum, { sampleGood }) => sum + sampleGood, 0)
        const bad = others.reduce((sum, { sampleBad }) => sum + sampleBad, 0)
        expect(voteBeside(MODEL, source, good, bad)).toBe(source.vote)
      }
    }
  })
})

describe('uptime beside complaints about deals', () => {
  const report = (type: EventType, reporter: string, day: number): CountedEvent => {
    const data = type === 'uptime.report' ? { uptimePercentage: 99.95 } : {}
    return { type, data, reporter, self: false, at: START + day * DAY_MS }
  }
  /** One a day, by each of so many reporters. */
  const daily = (type: EventType, reporters: number) =>
    Array.from({ length: DAYS }, (_, day) =>
      Array.from({ length: reporters }, (_, i) => report(type, `${type} ${i}`, day)),
    ).flat()
  const scoreOf = (...events: readonly CountedEvent[]) => {
    const inOrder = events.toSorted((a, b) => a.at - b.at)
    return scoreAt(MODEL, foldEvents(MODEL, newEvidence(MODEL, START), inOrder), AT + DAY_MS).score
  }
  const monitored = (monitors: number, problems: number, type: EventType = 'task.failed') =>
    scoreOf(...daily('uptime.report', monitors), ...daily(type, problems))

  test('any number of monitors weighs as much as two platforms', () => {
    expect(monitored(3, 1)).toBe(monitored(2, 1))
    expect(monitored(20, 1)).toBe(monitored(2, 1))
    expect(monitored(20, 1)).toBeGreaterThanOrEqual(500)
    expect(monitored(20, 1)).toBeLessThan(650)
  })

  test('three platforms whose deals fail outvote any number of monitors', () => {
    expect(monitored(20, 3)).toBeLessThan(300)
  })

  test('monitors do not end a run of bad deals', () => {
    const worked = daily('task.completed', 4)
    const cheats = Array.from({ length: 4 }, (_, i) =>
      report('payment.disputed', `task.completed ${i}`, DAYS - 0.5),
    )
    const watched = [...daily('uptime.report', 12), ...worked]
    expect(scoreOf(...watched)).toBeGreaterThan(650)
    expect(scoreOf(...watched, ...cheats)).toBeLessThan(650)
  })

  test('a report of errors is no complaint about deals', () => {
    expect(monitored(8, 1, 'error.reported')).toBe(monitored(8, 0))
  })

  test('an error after a dispute does not end the run that the dispute is part of', () => {
    const cheats = Array.from({ length: 9 }, (_, i) =>
      report('payment.disputed', `task.completed ${i}`, DAYS - 0.5),
    )
    const error = report('error.reported', 'task.completed 0', DAYS - 0.4)
    const watched = [...daily('uptime.report', 18), ...daily('task.completed', 9), ...cheats]
    expect(scoreOf(...watched)).toBeLessThan(650)
    expect(scoreOf(...watched, error)).toBeLessThanOrEqual(scoreOf(...watched))
  })

  test('an old failed task does not make a report of errors one', () => {
    const failed = report('task.failed', 'error.reported 0', 0)
    const errors = [...daily('uptime.report', 8), ...daily('error.reported', 1)]
    expect(scoreOf(failed, ...errors)).toBeGreaterThan(scoreOf(...errors) - 5)
  })

  test('an error of a child is no complaint about deals of its parent, and its failed task is one', () => {
    const childsBad = (childEventType: 'error.reported' | 'task.failed') => {
      const data = { childId: 'c', childEventId: 'e', childEventType, observation: -0.8 }
      const bad = daily('child.work_failed', 1).map((event) => ({ ...event, data }))
      return scoreOf(...daily('uptime.report', 8), ...bad)
    }
    expect(childsBad('error.reported')).toBeGreaterThan(700)
    expect(childsBad('task.failed')).toBeLessThan(650)
  })

  test('without complaints about deals each monitor has a vote of its own', () => {
    expect(monitored(4, 0)).toBeGreaterThan(700)
  })

  test('a monitor that also reports two tasks well has a vote of its own', () => {
    const failed = Array.from({ length: 10 }, () => report('task.failed', 'p', DAYS - 1))
    const reports = [...daily('uptime.report', 4), ...failed]
    const worked = Array.from({ length: 8 }, (_, i) =>
      report('task.completed', `uptime.report ${i % 4}`, 0),
    )
    expect(scoreOf(...worked, ...reports)).toBeGreaterThan(scoreOf(...reports) + 50)
  })
})
