import type { EventType } from '../../../src/domain/event.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/time.ts'
import {
  createSimulation,
  type SimulatedEvent,
  type Simulation,
} from '../../../src/ingest/testing/simulation.ts'
import { hundredths, NOON, times } from '../../../src/ingest/testing/streams.ts'
import { FAIR, GOOD } from '../tiers.ts'

/** An attack as it is simulated: what honestly came before, the attack, and what it may not do. */
export interface Attack {
  readonly name: string
  readonly before?: readonly SimulatedEvent[]
  readonly events: readonly SimulatedEvent[]
  /** In words, and whether it was kept: then the events that counted did no harm. */
  readonly bound: string
  readonly isHarmless: (simulations: Simulations) => boolean
}

/** The same installation without the attack and under it. */
export interface Simulations {
  readonly without: Simulation
  readonly under: Simulation
}

const END = NOON + 400 * DAY_MS

const scoreIn = (simulation: Simulation, at: number) => simulation.score('agent', at).score

const gainsAtMost =
  (points: number, at: number): Attack['isHarmless'] =>
  ({ without, under }) =>
    scoreIn(under, at) - scoreIn(without, at) <= points

const losesAtMost =
  (points: number, at: number): Attack['isHarmless'] =>
  ({ without, under }) =>
    scoreIn(without, at) - scoreIn(under, at) <= points

const staysBelow =
  (score: number, at: number): Attack['isHarmless'] =>
  ({ under }) =>
    scoreIn(under, at) < score

const paid = (at: number, amount: number): SimulatedEvent => ({
  at,
  type: 'payment.completed',
  data: { amount, currency: 'USD' },
})

const badType = (index: number): EventType => (index % 2 ? 'task.failed' : 'payment.disputed')

/** Two established platforms that report on another agent: new ones are no longer provisional. */
const ESTABLISHED: readonly SimulatedEvent[] = ['first', 'second'].map((by) => ({
  at: NOON - 100 * DAY_MS,
  agent: 'elsewhere',
  by,
}))

/** Ninety good days with a few failures, over a number of platforms. */
function life(platforms: number, seed: number, days = 90): readonly SimulatedEvent[] {
  const next = hundredths(seed)
  return times(
    days * 8,
    3 * HOUR_MS,
    (at, i) => {
      const by = `honest-${next() % platforms}`
      if (next() < 3) {
        return { at, by, type: 'task.failed' }
      }
      return i % 3 === 0 ? { ...paid(at, 20 + next()), by } : { at, by }
    },
    NOON - days * DAY_MS,
  )
}

const FLOOD_AND_PAYMENTS: readonly SimulatedEvent[] = [
  ...times(400, MINUTE_MS, (at) => ({ at })),
  ...times(20, MINUTE_MS, (at) => paid(at, 40_000), NOON + 8 * HOUR_MS),
]

const ONE_TASK = { occurredAt: NOON - HOUR_MS - 1, data: { duration: 812 } }

const COPIES: readonly SimulatedEvent[] = times(1_000, 500, (at, i) => ({
  ...paid(at, 149.37),
  occurredAt: at - HOUR_MS,
  externalId: `copy-${i}`,
}))

/** A tier is 150 points or more. */
const TIER = 150

export function attacks(): readonly Attack[] {
  return [...named(), ...evasions()]
}

function named(): readonly Attack[] {
  const days = (count: number) => NOON + count * DAY_MS
  return [
    {
      name: 'A1 own platform floods',
      events: times(1_000, 100, (at) => ({ at, byOwner: 'agent' })),
      bound: 'stays below 200, as by self-reports',
      isHarmless: staysBelow(200, days(0)),
    },
    {
      name: 'A2 three sybils in lock-step, 60 days',
      before: ESTABLISHED,
      events: times(60 * 24, 1, (_, i) => ({
        at: days(Math.floor(i / 24)) + (i % 24) * 1000,
        by: `sybil-${i % 3}`,
        verified: false,
      })),
      bound: 'stays below Fair',
      isHarmless: staysBelow(FAIR, days(60)),
    },
    {
      name: 'A2 two owners praise each other, 30 days',
      before: ESTABLISHED,
      events: times(3_000, (30 * DAY_MS) / 3_000, (at, i) => ({
        at,
        agent: i % 2 ? 'agent' : 'other',
        by: i % 2 ? 'of-other' : 'of-agent',
        byOwner: i % 2 ? 'other' : 'agent',
        verified: false,
      })),
      bound: 'stays below Fair',
      isHarmless: staysBelow(FAIR, days(30)),
    },
    {
      name: 'A2 three owners in a ring, 30 days',
      before: ESTABLISHED,
      events: times(3_000, (30 * DAY_MS) / 3_000, (at, i) => ({
        at,
        agent: ['agent', 'second', 'third'][(i + 1) % 3] ?? '',
        by: `of-${i % 3}`,
        byOwner: ['agent', 'second', 'third'][i % 3] ?? '',
        verified: false,
      })),
      bound: 'stays below Fair',
      isHarmless: staysBelow(FAIR, days(30)),
    },
    {
      name: 'A3 self-reports, 100 an hour for 30 days',
      events: times(72_000, 36_000, (at) => ({ at, by: null, data: { success: true } })),
      bound: 'stays below Good',
      isHarmless: staysBelow(GOOD, days(30)),
    },
    {
      name: 'A5 sleeper wakes with a flood and a large payment',
      before: life(3, 5).map((event) => ({ ...event, at: event.at - 60 * DAY_MS })),
      events: FLOOD_AND_PAYMENTS,
      bound: 'at most 20 points more than without the sleep',
      isHarmless: ({ under }) => {
        const awake = createSimulation()
        awake.reportAll([...life(3, 5), ...FLOOD_AND_PAYMENTS])
        return scoreIn(under, days(1)) - scoreIn(awake, days(1)) <= 20
      },
    },
    {
      name: 'A6 one platform of four slanders, 1,000 reports',
      before: life(3, 6),
      events: times(1_000, MINUTE_MS, (at, i) => ({ at, by: 'rival', type: badType(i) })),
      bound: 'at most a tier (150 points)',
      isHarmless: losesAtMost(TIER, days(1)),
    },
    {
      name: 'A6 a platform that is not established slanders against one other',
      before: [...ESTABLISHED, ...life(1, 7)],
      events: times(1_000, MINUTE_MS, (at, i) => ({
        at,
        by: 'rival',
        verified: false,
        type: badType(i),
      })),
      bound: 'at most a tier (150 points)',
      isHarmless: losesAtMost(TIER, days(1)),
    },
    {
      name: 'A6 a platform that is not established slanders a young agent against one other',
      before: [...ESTABLISHED, ...times(40, DAY_MS / 2, (at) => ({ at }), NOON - 20 * DAY_MS)],
      events: times(1_000, MINUTE_MS, (at, i) => ({
        at,
        by: 'rival',
        verified: false,
        type: badType(i),
      })),
      bound: 'at most a tier (150 points)',
      isHarmless: losesAtMost(TIER, days(1)),
    },
    {
      name: 'A7 the same event again, 1,000 times',
      before: [{ at: NOON - HOUR_MS, ...ONE_TASK }],
      events: times(1_000, 1000, (at) => ({ at, ...ONE_TASK })),
      bound: 'not a point',
      isHarmless: gainsAtMost(0, days(0)),
    },
    {
      name: 'A7 the same event without figures again, 1,000 times',
      before: life(3, 7),
      events: times(1_000, 1000, (at) => ({
        at,
        by: 'honest-0',
        occurredAt: ONE_TASK.occurredAt,
      })),
      bound: 'at most 40 points',
      isHarmless: gainsAtMost(40, days(0)),
    },
    {
      name: 'A7 copies under other names and times',
      before: life(3, 7),
      events: COPIES.map((event) => ({ ...event, by: 'honest-0' })),
      bound: 'at most 40 points',
      isHarmless: gainsAtMost(40, days(0)),
    },
    {
      name: 'A7 copies under other names and times, about a new agent',
      events: COPIES,
      bound: 'no more than by what is believed at once of anyone (240 points)',
      isHarmless: staysBelow(240, days(0)),
    },
    {
      name: 'A8 times made up at the edge of the window',
      events: times(500, 1000, (at, i) => ({ at, occurredAt: at - 30 * DAY_MS + MINUTE_MS + i })),
      bound: 'no more than by what is believed at once of anyone',
      isHarmless: staysBelow(FAIR, days(0)),
    },
    {
      name: 'A8 a prompt reporter finds old successes',
      before: times(80, DAY_MS / 4, (at) => ({ at }), NOON - 20 * DAY_MS),
      events: times(200, MINUTE_MS, (at, i) => ({ at, occurredAt: at - 9 * DAY_MS - i * HOUR_MS })),
      bound: 'at most 60 points',
      isHarmless: gainsAtMost(60, days(1)),
    },
    {
      name: 'A11 praise far above that of all others on the platform',
      before: times(400, MINUTE_MS, (at, i) => ({ at, agent: `peer-${i % 200}` })),
      events: times(800, 1000, (at) => ({ at: at + DAY_MS })),
      bound: 'stays below Poor on its first day',
      isHarmless: staysBelow(300, days(1)),
    },
    {
      name: 'A6 a rival reports the opposite of every task',
      before: times(
        100,
        HOUR_MS,
        (at, i) => ({ at, by: `honest-${i % 2}`, externalId: `job-${i}` }),
        NOON - 5 * DAY_MS,
      ),
      events: times(200, HOUR_MS, (at, i) => ({
        at,
        by: 'rival',
        type: 'task.failed' as const,
        externalId: `job-${99 - (i % 16)}`,
      })),
      bound: 'at most a tier (150 points)',
      isHarmless: losesAtMost(TIER, days(5)),
    },
    {
      name: 'A11 payments of cents, then fortunes',
      before: times(60, HOUR_MS, (at) => paid(at, 2), NOON - 3 * DAY_MS),
      events: times(50, HOUR_MS, (at) => paid(at, 9_000)),
      bound: 'at most 20 points',
      isHarmless: gainsAtMost(20, days(3)),
    },
    {
      name: 'A13 owner issues 1,000 credentials',
      events: times(1_000, 60_000, (at) => ({ at, by: null, type: 'credential.issued' })),
      bound: 'no more than one is worth (10 points)',
      isHarmless: gainsAtMost(10, days(1)),
    },
    {
      name: 'A13 owner issues credentials of 1,000 types',
      events: times(1_000, 60_000, (at, i) => ({
        at,
        by: null,
        type: 'credential.issued',
        data: { credentialType: `T${i}` },
      })),
      bound: 'no more than five are worth (45 points)',
      isHarmless: gainsAtMost(45, days(1)),
    },
    {
      name: 'A20 sums beyond all measure',
      events: times(200, MINUTE_MS, (at, i) => paid(at, 2e9 * 10 ** (i % 6))),
      bound: 'not a point',
      isHarmless: gainsAtMost(0, days(1)),
    },
    {
      name: 'contradictory data',
      events: times(200, MINUTE_MS, (at) => ({ at, data: { success: false } })),
      bound: 'not a point',
      isHarmless: gainsAtMost(0, days(1)),
    },
    {
      name: 'signatures that do not hold',
      events: times(200, MINUTE_MS, (at) => ({ at, attestation: 'invalid' as const })),
      bound: 'not a point',
      isHarmless: gainsAtMost(0, days(1)),
    },
  ]
}

/** Streams of each kind of evasion (A11), each with figures of its own. */
const STREAMS_PER_KIND = 40

function evasions(): readonly Attack[] {
  return Array.from({ length: STREAMS_PER_KIND }, (_, seed) => seed).flatMap((seed) => {
    const next = hundredths(1_000 + seed)
    const some = (least: number, most: number) => least + ((next() * 100 + next()) % (most - least))
    const platforms = some(2, 8)
    const friends = some(1, 5)
    const amount = 1_000 + some(0, 9_000) + 0.37
    const step = some(1, 9) * 1000
    const calm = life(friends, seed)
    const steady = times(20 * 4, DAY_MS / 4, (at) => ({ at }), NOON - 20 * DAY_MS)
    const flood = some(200, 900)
    return [
      {
        name: 'A11 slander spread over platforms and hours',
        before: [...ESTABLISHED, ...calm],
        events: times(300, some(1, 120) * MINUTE_MS, (at, i) => ({
          at,
          by: `rival-${i % platforms}`,
          verified: false,
          type: badType(i),
        })),
        bound: 'at most a tier (150 points)',
        isHarmless: losesAtMost(TIER, END),
      },
      {
        name: 'A11 copies with other times, mixed among others',
        before: calm,
        events: times(200, step, (at, i) => {
          const by = 'honest-0'
          return i % 7 === 6
            ? { at, by, occurredAt: at }
            : { ...paid(at, amount), by, occurredAt: at - step }
        }),
        bound: 'at most 20 points',
        isHarmless: gainsAtMost(20, NOON + DAY_MS),
      },
      {
        name: 'A11 a flood on a modest habit',
        before: steady,
        events: times(flood, (12 * HOUR_MS) / flood, (at) => ({ at, by: `p-${next() % friends}` })),
        bound: 'at most half a tier (75 points)',
        isHarmless: gainsAtMost(TIER / 2, NOON + DAY_MS),
      },
      {
        name: 'A11 a fortune on top of small change, in other currencies',
        before: times(40, HOUR_MS, (at) => paid(at, 1 + (next() % 9)), NOON - 3 * DAY_MS),
        events: times(30, HOUR_MS, (at, i) => ({
          at,
          type: 'payment.completed' as const,
          data: { amount: 9_000 + amount, currency: ['USD', 'EUR', 'GBP'][i % 3] ?? 'USD' },
        })),
        bound: 'at most 20 points',
        isHarmless: gainsAtMost(20, NOON + 3 * DAY_MS),
      },
      {
        name: 'A11 self-reports in bursts, under many names',
        events: times(600, 50, (at, i) => ({ at, by: null, externalId: `own-${seed}-${i}` })),
        bound: 'stays below 200',
        isHarmless: staysBelow(200, NOON + DAY_MS),
      },
    ]
  })
}
