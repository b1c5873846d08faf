import { expect, test } from 'vitest'
import type { EventType } from '../domain/event.ts'
import { createSimulation, type SimulatedEvent } from '../ingest/testing/simulation.ts'
import { hundredths, NOON, times } from '../ingest/testing/streams.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './profile.ts'

interface Attack {
  /** What came before, and is honest. */
  readonly before?: () => readonly SimulatedEvent[]
  readonly attack: () => readonly SimulatedEvent[]
  /** The least share of it that is quarantined, and the rule that does it. */
  readonly quarantined: number
  readonly by: string
}

const paid = (at: number, amount: number): SimulatedEvent => ({
  at,
  type: 'payment.completed',
  data: { amount, currency: 'USD' },
})

/** An agent that several platforms find good. */
const well = (platforms: number) => () =>
  times(120, HOUR_MS, (at, i) => ({ at, by: `p${i % platforms}` }), NOON - 10 * DAY_MS)

/** So many ordinary days of four good events each. */
const days = (count: number, ago = 0) =>
  times(count * 4, DAY_MS / 4, (at) => ({ at }), NOON - (count + ago) * DAY_MS)

const ATTACKS: Readonly<Record<string, Attack>> = {
  'A1: an owner’s own platform floods his agent': {
    attack: () => times(1_000, 100, (at) => ({ at, byOwner: 'agent' })),
    quarantined: 0.79,
    by: 'self_dealing',
  },
  'A2: three platforms that do nothing else praise in the same minutes': {
    attack: () =>
      times(60 * 12, 1, (_, i) => ({
        at: NOON + Math.floor(i / 12) * DAY_MS + (i % 12) * 1000,
        by: `sybil-${i % 3}`,
      })),
    quarantined: 0.8,
    by: 'lock_step',
  },
  'A2: two owners praise each other’s agents through their platforms': {
    attack: () =>
      times(1_000, MINUTE_MS, (at, i) => ({
        at,
        agent: i % 2 ? 'a' : 'b',
        by: i % 2 ? 'of-b' : 'of-a',
        byOwner: i % 2 ? 'b' : 'a',
      })),
    quarantined: 0.87,
    by: 'ring',
  },
  'A2: three owners do, round in a ring': {
    attack: () =>
      times(999, MINUTE_MS, (at, i) => ({
        at,
        agent: 'abc'.charAt((i + 1) % 3),
        by: `of-${'abc'.charAt(i % 3)}`,
        byOwner: 'abc'.charAt(i % 3),
      })),
    quarantined: 0.81,
    by: 'ring',
  },
  'A5: an agent wakes from a long quiet with a flood': {
    before: () => days(20, 60),
    attack: () => times(300, MINUTE_MS, (at) => ({ at })),
    quarantined: 0.89,
    by: 'sleeper',
  },
  'A6: one platform of three slanders with a thousand bad reports': {
    before: well(2),
    attack: () => times(1_000, 1000, (at, i) => ({ at, by: 'rival', type: bad(i) })),
    quarantined: 0.98,
    by: 'one_sided',
  },
  'A6: one platform slanders against one other': {
    before: well(1),
    attack: () => times(1_000, 1000, (at, i) => ({ at, by: 'rival', type: bad(i) })),
    quarantined: 0.99,
    by: 'one_sided',
  },
  'A6: one platform slanders an agent of whom three others said little yet': {
    before: () => times(24, HOUR_MS, (at, i) => ({ at, by: `p${i % 3}` }), NOON - 2 * DAY_MS),
    attack: () => times(1_000, 1000, (at, i) => ({ at, by: 'rival', type: bad(i) })),
    quarantined: 0.99,
    by: 'one_sided',
  },
  'A11: the slander is spread over five platforms, and over days': {
    before: well(2),
    attack: () => times(500, HOUR_MS, (at, i) => ({ at, by: `rival-${i % 5}`, type: bad(i) })),
    quarantined: 0.97,
    by: 'one_sided',
  },
  'A7: an event is sent again and again': {
    before: () => [{ at: NOON - HOUR_MS, occurredAt: NOON - HOUR_MS }],
    attack: () => times(1_000, 1000, (at) => ({ at, occurredAt: NOON - HOUR_MS })),
    quarantined: 1,
    by: 'identical_event',
  },
  'A7: copies are given other names and times': {
    attack: () =>
      times(1_000, 500, (at, i) => ({
        ...paid(at, 149.37),
        occurredAt: at - HOUR_MS,
        externalId: `copy-${i}`,
      })),
    quarantined: 0.98,
    by: 'near_duplicate',
  },
  'A8: a reporter that always was prompt finds old successes': {
    before: () => days(20),
    attack: () => times(100, 1000, (at, i) => ({ at, occurredAt: at - 20 * DAY_MS - i * HOUR_MS })),
    quarantined: 0.99,
    by: 'backdated',
  },
  'A8: made-up times lie just inside the window': {
    attack: () =>
      times(500, 1000, (at, i) => ({ at, occurredAt: at - 30 * DAY_MS + MINUTE_MS + i * 1000 })),
    quarantined: 0.95,
    by: 'window_edge',
  },
  'A11: a flood on top of a modest habit': {
    before: () => days(20),
    attack: () => times(1_000, 1000, (at) => ({ at })),
    quarantined: 0.89,
    by: 'burst_own_habit',
  },
  'A11: small payments first, then a fortune': {
    before: () => times(40, HOUR_MS, (at) => paid(at, 12), NOON - 3 * DAY_MS),
    attack: () => times(10, MINUTE_MS, (at) => paid(at, 20_000)),
    quarantined: 1,
    by: 'unusual_amount',
  },
  'A11: self-reports faster than an agent can work': {
    attack: () => times(1_200, 25, (at) => ({ at, by: null })),
    quarantined: 0.89,
    by: 'burst',
  },
  'A13: an owner issues and revokes without end': {
    attack: () =>
      times(1_000, 1000, (at, i) => ({
        at,
        by: null,
        type: i % 2 ? 'credential.revoked' : 'credential.issued',
      })),
    quarantined: 0.47,
    by: 'credential_pumping',
  },
  'A20: amounts beyond all measure': {
    attack: () => times(10, 1000, (at, i) => paid(at, 1e10 * 10 ** (i % 5))),
    quarantined: 1,
    by: 'implausible_data',
  },
  'data that says the opposite of its type': {
    attack: () => times(10, 1000, (at) => ({ at, data: { success: false } })),
    quarantined: 1,
    by: 'contradictory_data',
  },
  'a signature that is not the platform’s': {
    attack: () => times(10, 1000, (at) => ({ at, attestation: 'invalid' })),
    quarantined: 1,
    by: 'attestation_invalid',
  },
}

function bad(index: number): EventType {
  return index % 2 ? 'task.failed' : 'payment.disputed'
}

test.each(Object.entries(ATTACKS))('%s', (_, { before, attack, quarantined, by }) => {
  const simulation = createSimulation()
  expect(simulation.reportAll(before?.() ?? [{ at: NOON - DAY_MS }]).quarantined).toBe(0)
  const outcome = simulation.reportAll(attack())
  expect(outcome.quarantined).toBeGreaterThanOrEqual(quarantined)
  expect(outcome.flags).toContain(by)
})

/** How many reports of a hostile platform count before the first is quarantined. */
function countedOf(before: readonly SimulatedEvent[], type: EventType): number {
  const simulation = createSimulation()
  simulation.reportAll(before)
  const stream = times(100, 1000, (at) => ({ at, by: 'rival', type }))
  return stream.findIndex((event) => simulation.report(event).isQuarantined)
}

test.each([
  [24, 'task.failed', 3],
  [24, 'payment.disputed', 1],
  [60, 'task.failed', 5],
  [84, 'payment.disputed', 2],
  [500, 'task.failed', 10],
  [500, 'payment.disputed', 3],
] as const)(
  'against %d good reports a platform that stands alone counts: %s, %d times',
  (good, type, counted) => {
    const before = times(good, HOUR_MS, (at) => ({ at }), NOON - 30 * DAY_MS)
    expect(countedOf(before, type)).toBe(counted)
  },
)

test('a burst of slander from three platforms is quarantined as much as the same reports minutes apart', () => {
  const next = hundredths(11)
  const attack = times(300, 1, (at) => ({
    at,
    by: `rival-${next() % 3}`,
    type: 'task.failed' as const,
  }))
  const slow = attack.map((event, i) => ({ ...event, at: NOON + i * MINUTE_MS }))
  const [a, b] = [createSimulation(), createSimulation()]
  a.reportAll(well(2)())
  b.reportAll(well(2)())
  expect(a.reportAll(attack).quarantined).toBe(b.reportAll(slow).quarantined)
})
