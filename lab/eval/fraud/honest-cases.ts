import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/time.ts'
import type { SimulatedEvent } from '../../../src/ingest/testing/simulation.ts'
import { hundredths, NOON, times } from '../../../src/ingest/testing/streams.ts'
import type { Honest } from './honest-streams.ts'

const START = NOON - (NOON % DAY_MS)

const paid = (amount: number): Pick<SimulatedEvent, 'type' | 'data'> => ({
  type: 'payment.completed',
  data: { amount, currency: 'USD' },
})

/** One bad event in 33. */
const outcome = (i: number): Pick<SimulatedEvent, 'type'> => ({
  type: i % 33 === 17 ? 'task.failed' : 'task.completed',
})

/** Ordinary days of an agent, spread over the day. */
const work = (days: number, aDay: number, from = START): readonly SimulatedEvent[] =>
  times(days * aDay, DAY_MS / aDay, (at, i) => ({ at, ...outcome(i) }), from)

/** Honest streams that look odd. The name of each says what it stands for. */
const CASES: Readonly<Record<string, () => readonly SimulatedEvent[]>> = {
  'a seasonal business: closed for two months, then ten times as busy as before': () => [
    ...work(60, 4),
    ...work(20, 40, START + 120 * DAY_MS),
  ],
  'a seasonal business that reopens with a large order': () => [
    ...times(60, DAY_MS / 3, (at, i) => ({ at, ...paid(40 + i) })),
    ...work(2, 20, START + 120 * DAY_MS),
    { at: START + 122 * DAY_MS, ...paid(25_000) },
  ],
  'a prompt platform whose queue was down for ten days': () => [
    ...work(60, 8),
    ...times(
      80,
      200,
      (at, i) => ({
        at,
        occurredAt: START + 60 * DAY_MS + i * 3 * HOUR_MS,
        ...outcome(i),
      }),
      START + 70 * DAY_MS,
    ),
  ],
  'a prompt platform that migrates the work of its former system, as events': () => [
    ...work(30, 8),
    ...times(
      200,
      100,
      (at, i) => ({
        at,
        occurredAt: at - 29 * DAY_MS + i * HOUR_MS,
        externalId: `old-${i}`,
        ...outcome(i),
      }),
      START + 30 * DAY_MS,
    ),
  ],
  'a platform that reports the day before each night, its clock four and a half minutes fast': () =>
    times(60 * 20, 1, (_, i) => {
      const day = START + Math.floor(i / 20) * DAY_MS
      return {
        at: day + DAY_MS + (i % 20) * 50,
        occurredAt: day + (i % 20) * HOUR_MS,
        ...outcome(i),
      }
    }),
  'a platform with a clock that is four and a half minutes fast': () =>
    times(600, HOUR_MS, (at, i) => ({ at, occurredAt: at + 4.5 * MINUTE_MS, ...outcome(i) })),
  'a shop that reports a sale when the thirty days for returns have passed': () =>
    times(200, 6 * HOUR_MS, (at, i) => ({
      at,
      occurredAt: at - 30 * DAY_MS + HOUR_MS,
      ...paid(20 + i),
    })),
  'a platform in another time zone that sends local times as UTC, nine hours late': () =>
    times(600, HOUR_MS, (at, i) => ({ at, occurredAt: at - 9 * HOUR_MS, ...outcome(i) })),
  'a company that reports all work of its own agent, 1,000 tasks a day': () =>
    times(5_000, DAY_MS / 1_000, (at, i) => ({ at, byOwner: 'agent', ...outcome(i) })),
  'an owner that issues a credential for each session': () =>
    times(300, DAY_MS / 48, (at, i) => ({
      at,
      by: null,
      type: 'credential.issued',
      data: { credentialType: `Session${i % 3}` },
    })),
  'two agents of one owner that work for one another, as the owner reports': () =>
    times(4_000, DAY_MS / 800, (at, i) => ({
      at,
      agent: i % 2 ? 'first' : 'second',
      owner: 'owner',
      by: 'own',
      byOwner: 'owner',
      ...outcome(i),
    })),
  'partners whose platforms pay each other’s agents': () =>
    times(2_000, HOUR_MS / 2, (at, i) => ({
      at,
      agent: i % 2 ? 'a' : 'b',
      by: i % 2 ? 'of-b' : 'of-a',
      byOwner: i % 2 ? 'b' : 'a',
      ...paid(100 + (i % 700)),
    })),
  'one large customer among small ones': () =>
    times(600, HOUR_MS, (at, i) => ({ at, ...paid(i % 20 === 0 ? 85_000 + i : 20 + (i % 90)) })),
  'work on weekdays only': () =>
    work(140, 10).filter(({ at }) => new Date(at).getUTCDay() % 6 !== 0),
  'a monthly report of all work, with the times': () =>
    times(6 * 100, 1, (_, i) => {
      const end = START + (1 + Math.floor(i / 100)) * 28 * DAY_MS
      return {
        at: end + (i % 100) * 100,
        occurredAt: end - (100 - (i % 100)) * 6 * HOUR_MS,
        ...outcome(i),
      }
    }),
  'retries of each report under its externalId': () =>
    times(900, HOUR_MS, (at, i) => ({
      at,
      occurredAt: START + Math.floor(i / 3) * HOUR_MS,
      externalId: `job-${Math.floor(i / 3)}`,
      ...outcome(Math.floor(i / 3)),
    })),
  'three hundred subscriptions of one price, renewed on the first of each month': () =>
    times(4 * 300, 1, (_, i) => {
      const at = START + Math.floor(i / 300) * 30 * DAY_MS + (i % 300) * 1000
      return { at, occurredAt: at, externalId: `renewal-${i}`, ...paid(49.99) }
    }),
  'three hundred such subscriptions without times and names': () =>
    times(4 * 300, 1, (_, i) => ({
      at: START + Math.floor(i / 300) * 30 * DAY_MS + (i % 300) * 1000,
      ...paid(49.99),
    })),
  'a shop with one price, sixty sales a day, without times and names': () =>
    times(60 * 60, DAY_MS / 60, (at, i) => ({
      at,
      type: i % 33 === 17 ? 'payment.failed' : 'payment.completed',
      data: { amount: 19.99, currency: 'USD' },
    })),
  'a busy shop with one price that names each of 20,000 sales a day': () =>
    times(10_000, DAY_MS / 20_000, (at, i) => ({
      at,
      occurredAt: at,
      externalId: `sale-${i}`,
      ...paid(19.99),
    })),
  'micro-payments of equal amounts': () =>
    times(5_000, DAY_MS / 1_000, (at) => ({ at, ...paid(0.0125) })),
  'micro-payments of an equal amount with four digits': () =>
    times(5_000, DAY_MS / 1_000, (at) => ({ at, ...paid(0.001234) })),
  'builds that end at their limit of time': () =>
    times(2_000, HOUR_MS / 2, (at, i) => ({
      at,
      type: i % 10 === 0 ? 'task.timeout' : 'task.completed',
      data: { duration: i % 10 === 0 ? 3_600_000 : 61_000 + ((i * 7919) % 900_000) },
    })),
  'eight jobs of one build that end in the same second': () =>
    times(800, 1, (_, i) => {
      const at = START + Math.floor(i / 8) * HOUR_MS
      return {
        at: at + (i % 8),
        occurredAt: at,
        externalId: `job-${i}`,
        data: { duration: 312_000 },
      }
    }),
  'a monitor that reports how long it waited for an agent that was down': () =>
    times(2_000, 15 * MINUTE_MS, (at, i) => ({
      at,
      type: 'uptime.report',
      data:
        i % 33 === 17
          ? { uptimePercentage: 0, responseTimeMs: 30_000 }
          : { uptimePercentage: 100, responseTimeMs: 80 + ((i * 7919) % 900) },
    })),
  'a platform that knows the day of a task, not the time': () =>
    times(600, DAY_MS / 10, (at, i) => ({ at, occurredAt: at - (at % DAY_MS), ...outcome(i) })),
  'a new installation with five agents and a first platform': () => {
    const next = hundredths(4)
    return times(1_000, 20 * MINUTE_MS, (at, i) => ({
      at,
      agent: `agent-${next() % 5}`,
      ...outcome(i),
    }))
  },
}

export function honestCases(): readonly Honest[] {
  return Object.entries(CASES).map(([name, stream]) => ({ name, events: stream() }))
}
