import { describe, expect, test } from 'vitest'
import { assess } from './assess.ts'
import type { EventData, EventType } from './event.ts'
import { addEvent, type CountedEvent, foldEvents } from './evidence.ts'
import { type Evidence, newEvidence } from './evidence-state.ts'
import { MODEL, MODEL_VERSION } from './model.ts'
import { scoreAt } from './score.ts'
import { DAY_MS } from './time.ts'

const START = 20_000 * DAY_MS

function event(type: EventType, rest: Partial<CountedEvent> = {}, data: EventData = {}) {
  return { type, data, reporter: 'platform', self: false, at: START, ...rest }
}

function times(count: number, one: CountedEvent): CountedEvent[] {
  return Array.from({ length: count }, () => one)
}

/** Score of a new agent right after events. */
function scoreOf(...events: CountedEvent[]): number {
  const evidence = foldEvents(MODEL, newEvidence(MODEL, START), events)
  return scoreAt(MODEL, evidence, evidence.at).score
}

/** Evidence of these events on each of so many days, reported by one platform after the other. */
function daily(days: number, events: CountedEvent[], before = newEvidence(MODEL, START)): Evidence {
  let evidence = before
  for (let day = 1; day <= days; day++) {
    const at = before.at + day * DAY_MS
    evidence = foldEvents(
      MODEL,
      evidence,
      events.map((one, i) => ({ ...one, at, reporter: one.self ? 'me' : `p${(day + i) % 4}` })),
    )
  }
  return evidence
}

function scoreAfter(days: number, events: CountedEvent[], before?: Evidence) {
  const evidence = daily(days, events, before)
  return scoreAt(MODEL, evidence, evidence.at)
}

const credential = event('credential.issued')
const task = event('task.completed')
const paid = event('payment.completed', {}, { amount: 80, currency: 'USD' })

describe('a new agent', () => {
  test('scores exactly 100, untrusted, with low confidence and base weights', () => {
    const score = scoreAt(MODEL, newEvidence(MODEL, START), START)
    expect(score).toMatchObject({
      score: 100,
      classification: 'untrusted',
      confidence: 'low',
      eventCount: 0,
      evidence: { platformReported: 0, selfReported: 0 },
      modelVersion: MODEL_VERSION,
    })
    const weights = Object.values(score.breakdown).map(({ weight, effectiveWeight }) => [
      weight,
      effectiveWeight,
    ])
    expect(weights).toEqual([
      [0.4, 0.4],
      [0.35, 0.35],
      [0.25, 0.25],
    ])
  })

  test('gains nothing by waiting', () => {
    expect(scoreAt(MODEL, newEvidence(MODEL, START), START + 3000 * DAY_MS).score).toBe(100)
  })

  test('has a wide interval, because little is known', () => {
    const { low, high } = scoreAt(MODEL, newEvidence(MODEL, START), START).interval
    expect(low).toBeLessThan(100)
    expect(high).toBeGreaterThan(500)
  })

  test('starts no higher than its owner’s previous worse agent', () => {
    const ceilings = [0, 42, 99.6, 100, 700]
    const scores = ceilings.map(
      (most) => scoreAt(MODEL, newEvidence(MODEL, START, most), START).score,
    )
    expect(scores).toEqual([0, 42, 100, 100, 100])
  })

  test('leaves such a ceiling after a year of events, and not after many in one day', () => {
    const flood = foldEvents(MODEL, newEvidence(MODEL, START, 42), times(500, task))
    expect(scoreAt(MODEL, flood, START).score).toBe(42)
    const month = scoreAfter(30, [task, task, paid], newEvidence(MODEL, START, 42)).score
    expect(month).toBeGreaterThan(42)
    expect(month).toBeLessThan(200)
    const busy = [credential, task, task, task, paid, paid]
    const limited = scoreAfter(366, busy, newEvidence(MODEL, START, 42))
    expect(limited.score).toBe(scoreAfter(366, busy).score)
  })
})

describe('the first day', () => {
  test('lifts a newcomer visibly by a handful of good reports, and a mixed day does not lower it', () => {
    const of = (count: number, well: number) =>
      scoreOf(
        ...Array.from({ length: count }, (_, i) =>
          event((i * 37) % 100 < well ? 'task.completed' : 'task.failed', {
            reporter: `p${i % 3}`,
          }),
        ),
      )
    expect(of(3, 100)).toBeGreaterThan(150)
    expect(of(10, 100)).toBeGreaterThan(of(3, 100))
    expect(of(400, 77)).toBeGreaterThan(200)
    expect(of(400, 50)).toBeGreaterThan(100)
    expect(of(400, 25)).toBeLessThan(100)
  })

  test('lifts it no higher than Poor, with any number of reports by one platform', () => {
    const flood = times(5000, task).concat(times(5000, paid), times(50, credential))
    expect(scoreOf(...flood)).toBeLessThan(500)
  })
})

describe('the amount of evidence', () => {
  test('puts 9,500 good tasks of 10,000 above 10 of 10, even within one day', () => {
    const mixed = times(500, event('task.failed')).flatMap((bad) => [bad, ...times(19, task)])
    expect(scoreOf(...mixed)).toBeGreaterThan(scoreOf(...times(10, task)))
  })

  test('puts them far above when they are spread over many days', () => {
    const day = [...times(19, task), event('task.failed'), ...times(19, task)]
    const ten = scoreAt(
      MODEL,
      foldEvents(MODEL, newEvidence(MODEL, START), times(10, task)),
      START + 250 * DAY_MS,
    )
    expect(scoreAfter(250, day).score).toBeGreaterThan(ten.score + 200)
  })

  test('sets the confidence by the count of all events', () => {
    const counts = [49, 50, 499, 500]
    const grades = counts.map((count) => {
      const evidence = foldEvents(MODEL, newEvidence(MODEL, START), times(count, task))
      return scoreAt(MODEL, evidence, START).confidence
    })
    expect(grades).toEqual(['low', 'medium', 'medium', 'high'])
  })

  test('narrows the interval as events arrive', () => {
    const width = (days: number) => {
      const { interval } = scoreAfter(days, [task, paid])
      return interval.high - interval.low
    }
    expect(width(5)).toBeGreaterThan(width(30))
    expect(width(30)).toBeGreaterThan(width(150))
  })
})

describe('the type of an event', () => {
  const base = times(20, task)

  test('makes a timeout weigh more than a failure', () => {
    expect(scoreOf(...base, ...times(3, event('task.timeout')))).toBeLessThan(
      scoreOf(...base, ...times(3, event('task.failed'))),
    )
  })

  test('makes uptime count mildly, less than a completed task', () => {
    const up = event('uptime.report', {}, { uptimePercentage: 100 })
    expect(scoreOf(...times(10, up))).toBeGreaterThan(100)
    expect(scoreOf(...times(10, up))).toBeLessThan(scoreOf(...times(10, task)))
  })

  test('makes an error lower the score more the more severe it is', () => {
    const scores = (['low', 'medium', 'high', 'critical'] as const).map((severity) =>
      scoreOf(...base, ...times(4, event('error.reported', {}, { severity }))),
    )
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    expect(new Set([scoreOf(...base), ...scores]).size).toBe(5)
  })

  test('makes a dispute count more than a failed payment, and that more than one three days late', () => {
    const start = times(20, paid)
    const wrong = (type: EventType) => event(type, {}, { amount: 80, currency: 'USD', daysLate: 3 })
    const scores = (['payment.late', 'payment.failed', 'payment.disputed'] as const).map((type) =>
      scoreOf(...start, ...times(4, wrong(type))),
    )
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    expect(new Set(scores).size).toBe(3)
  })
})

describe('self-reports', () => {
  const own = (one: CountedEvent) => ({ ...one, self: true, reporter: 'me' })

  test('move the score less than ten reports by a platform, even a hundred of them', () => {
    for (const type of ['task.completed', 'task.failed', 'payment.disputed'] as const) {
      const start = type === 'task.completed' ? [] : times(20, task)
      const before = scoreOf(...start)
      const bySelf = scoreOf(...start, ...times(100, own(event(type))))
      const byPlatform = scoreOf(...start, ...times(10, event(type, { reporter: 'other' })))
      expect(Math.abs(bySelf - before)).toBeLessThan(Math.abs(byPlatform - before))
    }
  })

  test('alone never leave untrusted, however many, large and long', () => {
    let evidence = newEvidence(MODEL, START)
    const praise = [task, event('uptime.report'), credential]
    const fortune = event('payment.completed', {}, { amount: 1e6 })
    let peak = 0
    for (let day = 0; day < 400; day++) {
      const today = [...praise, ...times(20, fortune), ...times(20, task)].map((one) => ({
        ...own(one),
        at: START + day * DAY_MS,
      }))
      evidence = foldEvents(MODEL, evidence, today)
      peak = Math.max(peak, scoreAt(MODEL, evidence, evidence.at).score)
    }
    expect(peak).toBeLessThan(300)
  })

  test('are counted separately', () => {
    const evidence = foldEvents(MODEL, newEvidence(MODEL, START), [
      task,
      own(task),
      own(credential),
    ])
    expect(scoreAt(MODEL, evidence, START).evidence).toEqual({
      platformReported: 1,
      selfReported: 2,
    })
  })
})

describe('credentials', () => {
  const own = (type: EventType) => event(type, { self: true, reporter: 'owner' })

  test('of the agent’s owner count at most as much as five, even a thousand', () => {
    expect(scoreOf(...times(1000, own('credential.issued')))).toBe(
      scoreOf(...times(5, own('credential.issued'))),
    )
  })

  test('that their owner revokes count at most as much as five, even a thousand', () => {
    expect(scoreOf(...times(1000, own('credential.revoked')))).toBe(
      scoreOf(...times(5, own('credential.revoked'))),
    )
  })

  test('of one platform count more than all of the owner’s own', () => {
    expect(scoreOf(credential)).toBeGreaterThan(scoreOf(...times(1000, own('credential.issued'))))
  })

  test('that are issued, revoked and issued again gain nothing', () => {
    for (const [issue, revoke] of [
      [credential, event('credential.revoked')],
      [own('credential.issued'), own('credential.revoked')],
    ] as const) {
      for (const held of [1, 5, 20]) {
        const once = times(held, issue)
        const cycled = [...once, ...Array.from({ length: 10 }, () => [revoke, issue]).flat()]
        expect(scoreOf(...cycled)).toBeLessThan(scoreOf(...once))
      }
    }
  })

  test('that one platform revokes take the less, the more platforms report good work', () => {
    const lost = [1, 4, 12].map((platforms) => {
      const works = Array.from({ length: platforms }, (_, i) =>
        times(20, event('task.completed', { reporter: `p${i}` })),
      ).flat()
      const identity = (...more: CountedEvent[]) => {
        const evidence = foldEvents(MODEL, newEvidence(MODEL, START), [...works, ...more])
        return scoreAt(MODEL, evidence, START).breakdown.identity.score
      }
      return identity() - identity(...times(5, event('credential.revoked', { reporter: 'p0' })))
    })
    expect(lost.toSorted((a, b) => b - a)).toEqual(lost)
    expect(lost.at(-1)).toBeLessThan((lost[0] as number) / 2)
  })

  test('that are revoked take at most three quarters of the identity dimension', () => {
    const { breakdown } = scoreAt(
      MODEL,
      foldEvents(MODEL, newEvidence(MODEL, START), times(50, event('credential.revoked'))),
      START,
    )
    expect(breakdown.identity.score).toBe(44)
  })
})

describe('agents that are active in one dimension', () => {
  test('reach Good with only good work or only good payments, but Excellent not even flawlessly', () => {
    const works = [...times(8, task), credential]
    const pays = [...times(8, paid), credential]
    for (const day of [works, pays]) {
      const { score, classification } = scoreAfter(180, day)
      expect(classification).toBe('good')
      expect(score).toBeLessThan(800)
    }
  })

  test('are weighted by the dimensions with evidence, and the weights show it', () => {
    const { reliability, financial, identity } = scoreAfter(180, times(8, task)).breakdown
    expect(reliability).toMatchObject({ weight: 0.4, effectiveWeight: 0.75 })
    expect(financial).toMatchObject({ weight: 0.35, effectiveWeight: 0 })
    expect(identity).toMatchObject({ weight: 0.25, effectiveWeight: 0.25 })
  })

  test('keep most of their score after one bad payment, and fall below Fair after a month of them', () => {
    const good = daily(180, times(8, task))
    const before = scoreAt(MODEL, good, good.at).score
    const wrong = event('payment.disputed', {}, { amount: 13_400 })
    const once = addEvent(MODEL, good, { ...wrong, reporter: 'p0', at: good.at })
    expect(scoreAt(MODEL, once, good.at).score).toBeGreaterThan(before - 80)
    expect(scoreAfter(30, [...times(8, task), ...times(4, wrong)], good).score).toBeLessThan(500)
  })
})

test('platforms that are not established do not move work and payments apart', () => {
  const good = daily(60, [task, task, paid])
  const rival = times(500, { ...event('payment.disputed'), reporter: 'rival', reporterWeight: 0.1 })
  const flooded = foldEvents(
    MODEL,
    good,
    rival.map((one) => ({ ...one, at: good.at })),
  )
  const [before, after] = [good, flooded].map((one) => scoreAt(MODEL, one, one.at).breakdown)
  expect(before?.financial.score).toBeGreaterThan(700)
  for (const dimension of ['reliability', 'financial'] as const) {
    const moved = (after?.[dimension].score ?? 0) - (before?.[dimension].score ?? 0)
    expect(Math.abs(moved)).toBeLessThan(10)
  }
})

describe('Excellent', () => {
  const flawless = [task, task, paid, credential]
  const byOne = (days: number, platforms: number, events = flawless, reporterWeight = 1) => {
    let evidence = newEvidence(MODEL, START)
    for (let day = 0; day <= days; day++) {
      const at = START + day * DAY_MS
      const today = events.flatMap((one) =>
        Array.from({ length: platforms }, (_, i) => {
          return { ...one, at, reporter: `p${i}`, reporterWeight }
        }),
      )
      evidence = foldEvents(MODEL, evidence, today)
    }
    return scoreAt(MODEL, evidence, evidence.at).classification
  }

  test('requires two established platforms, work and payments, and more than sixty days', () => {
    expect(byOne(80, 2)).toBe('excellent')
    expect(byOne(60, 2)).toBe('good')
    expect(byOne(400, 1)).toBe('good')
    expect(byOne(400, 2, [task, credential])).toBe('good')
    expect(byOne(400, 2, [paid, credential])).toBe('good')
    expect(byOne(400, 8, flawless, 0.5)).toBe('good')
  })

  test('cannot be reached by a bad report of the missing kind, or by a self-report of it', () => {
    const worked = daily(120, times(4, task))
    const { at } = worked
    const before = scoreAt(MODEL, worked, at).score
    expect(before).toBeGreaterThan(750)
    const self = { reporter: 'me', self: true }
    for (const who of [self, { reporter: 'p0' }, { reporter: 'p5', reporterWeight: 0.5 }]) {
      const failed = addEvent(MODEL, worked, { ...event('payment.failed', who), at })
      expect(scoreAt(MODEL, failed, at).score).toBeLessThanOrEqual(before)
    }
    const paidItself = addEvent(MODEL, worked, { ...event('payment.completed', self), at })
    expect(scoreAt(MODEL, paidItself, at).score).toBe(before)
  })
})

describe('the way to Excellent', () => {
  const payments = (count: number, bad: number, at: number, reporter = 'p0') => {
    const wrong = event('payment.disputed', {}, { amount: 80 })
    return Array.from({ length: count }, (_, i) => ({ ...(i < bad ? wrong : paid), at, reporter }))
  }
  const pointsWith = (before: Evidence, events: CountedEvent[]) => {
    return assess(MODEL, foldEvents(MODEL, before, events), before.at).whole
  }
  const worked = daily(120, [...times(4, task), credential])
  const alone = pointsWith(worked, [])

  test('opens day by day, and no midnight moves a flawless agent by more than ten points', () => {
    const points: number[] = []
    let evidence = daily(50, [...times(4, task), paid, paid, credential])
    for (let day = 0; day < 45; day++) {
      points.push(assess(MODEL, evidence, evidence.at).whole)
      evidence = daily(1, [...times(4, task), paid, paid], evidence)
    }
    const steps = points.slice(1).map((one, i) => one - (points[i] ?? 0))
    expect(points.at(-1)).toBeGreaterThan(860)
    expect(Math.min(...steps)).toBeGreaterThan(0)
    expect(Math.max(...steps)).toBeLessThan(10)
  })

  test('opens with the number of good payments, not with the first one', () => {
    const opened = [1, 5, 10, 15, 20, 25].map((count) =>
      pointsWith(worked, payments(count, 0, worked.at)),
    )
    const steps = opened.map((points, i) => points - (opened[i - 1] ?? alone))
    const whole = (opened.at(-1) as number) - alone
    expect(whole).toBeGreaterThan(100)
    for (const step of steps) {
      expect(step).toBeGreaterThan(0)
      expect(step).toBeLessThan(whole / 3)
    }
  })

  test('is not opened by payments that are mostly bad', () => {
    for (const bad of [10, 20, 30]) {
      expect(pointsWith(worked, payments(40, bad, worked.at, 'p9'))).toBeLessThanOrEqual(alone)
    }
    const defrauded = foldEvents(MODEL, worked, payments(40, 30, worked.at, 'p9'))
    const later = daily(60, times(4, task), defrauded)
    const without = daily(60, times(4, task), worked)
    expect(scoreAt(MODEL, later, later.at).score).toBeLessThanOrEqual(
      scoreAt(MODEL, without, without.at).score,
    )
  })

  test('is not opened by the first reports of a second platform', () => {
    const reports = Array.from({ length: 120 }, (_, day) =>
      [...times(4, task), paid].map((one) => ({ ...one, at: START + day * DAY_MS })),
    )
    const byOne = foldEvents(MODEL, newEvidence(MODEL, START), reports.flat())
    const before = pointsWith(byOne, [])
    const steps = [2, 12].map(
      (count) => pointsWith(byOne, payments(count, 0, byOne.at, 'second')) - before,
    )
    expect(steps[0]).toBeLessThan(10)
    expect(steps[1]).toBeGreaterThan(25)
  })
})

test('an idle agent slowly loses its score', () => {
  const good = daily(120, [task, task, paid, credential])
  const scores = [0, 1, 180, 365, 3650].map(
    (days) => scoreAt(MODEL, good, good.at + days * DAY_MS).score,
  )
  expect(scores).toEqual([...scores].sort((a, b) => b - a))
  expect(scores.at(-1)).toBeLessThan(400)
})
