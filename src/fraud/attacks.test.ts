import { describe, expect, test } from 'vitest'
import type { EventType } from '../domain/event.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/time.ts'
import { createSimulation, type SimulatedEvent } from '../ingest/testing/simulation.ts'
import { NOON, times } from '../ingest/testing/streams.ts'

interface Attack {
  /** What came before, and is honest. */
  readonly before?: () => readonly SimulatedEvent[]
  readonly attack: () => readonly SimulatedEvent[]
  /** The least share of it that is found, and the rule that finds it. */
  readonly share: number
  readonly by: string
}

const paid = (at: number, amount: number): SimulatedEvent => ({
  at,
  type: 'payment.completed',
  data: { amount, currency: 'USD' },
})

/** So many ordinary days of four good events each. */
const days = (count: number, ago = 0) =>
  times(count * 4, DAY_MS / 4, (at) => ({ at }), NOON - (count + ago) * DAY_MS)

/** No whole minute: those are times of reporters that know only the day. */
const EXACT = NOON - HOUR_MS - 1

const ATTACKS: Readonly<Record<string, Attack>> = {
  'A7: an event is sent again and again': {
    before: () => [{ at: NOON - HOUR_MS, occurredAt: EXACT, data: { duration: 812 } }],
    attack: () => times(1_000, 1000, (at) => ({ at, occurredAt: EXACT, data: { duration: 812 } })),
    share: 1,
    by: 'identical_event',
  },
  'A13: a platform reports credentials that were never issued': {
    attack: () =>
      times(8, MINUTE_MS, (at, i) => ({
        at,
        type: 'credential.issued',
        data: { credentialId: `invented-${i}`, credentialType: `T${i}` },
      })),
    share: 1,
    by: 'contradictory_data',
  },
  'A20: amounts beyond all measure': {
    attack: () => times(10, 1000, (at, i) => paid(at, 1e10 * 10 ** (i % 5))),
    share: 1,
    by: 'implausible_data',
  },
  'data that says the opposite of its type': {
    attack: () => times(10, 1000, (at) => ({ at, data: { success: false } })),
    share: 1,
    by: 'contradictory_data',
  },
  'a signature that is not the platform’s': {
    attack: () => times(10, 1000, (at) => ({ at, attestation: 'invalid' })),
    share: 1,
    by: 'attestation_invalid',
  },
}

/** What looks like an attack and may be honest: it counts, and the operator can read of it. */
const NOTED: Readonly<Record<string, Attack>> = {
  'A1: an owner’s own platform floods the owner’s agent': {
    attack: () => times(1_000, 100, (at) => ({ at, byOwner: 'agent' })),
    share: 0.79,
    by: 'self_dealing',
  },
  'A5: an agent reports a flood after a long quiet time': {
    before: () => days(20, 60),
    attack: () => times(300, MINUTE_MS, (at) => ({ at })),
    share: 0.89,
    by: 'sleeper',
  },
  'A8: a reporter that always was prompt finds old successes': {
    before: () => days(20),
    attack: () => times(100, 1000, (at, i) => ({ at, occurredAt: at - 20 * DAY_MS - i * HOUR_MS })),
    // After these, late reports are no longer unusual.
    share: 0.04,
    by: 'backdated',
  },
  'A8: invented times lie just inside the window': {
    attack: () =>
      times(500, 1000, (at, i) => ({ at, occurredAt: at - 30 * DAY_MS + MINUTE_MS + i * 1000 })),
    share: 0.95,
    by: 'window_edge',
  },
  'A13: an owner issues and revokes without end': {
    attack: () =>
      times(1_000, 1000, (at, i) => ({
        at,
        by: null,
        type: i % 2 ? 'credential.revoked' : 'credential.issued',
      })),
    share: 0.47,
    by: 'credential_pumping',
  },
  'A7: copies are given other names and times': {
    attack: () =>
      times(1_000, 500, (at, i) => ({
        ...paid(at, 149.37),
        occurredAt: at - HOUR_MS,
        externalId: `copy-${i}`,
      })),
    share: 0.98,
    by: 'near_duplicate',
  },
  'A7: one payment is reported a thousand times, without a time or a name': {
    attack: () => times(1_000, MINUTE_MS, (at) => paid(at, 123.45)),
    share: 0.98,
    by: 'near_duplicate',
  },
}

test.each(Object.entries(ATTACKS))('%s', (_, { before, attack, share, by }) => {
  const simulation = createSimulation()
  expect(simulation.reportAll(before?.() ?? [{ at: NOON - DAY_MS }]).quarantined).toBe(0)
  const outcome = simulation.reportAll(attack())
  expect(outcome.quarantined).toBeGreaterThanOrEqual(share)
  expect(outcome.flags).toContain(by)
})

test.each(Object.entries(NOTED))('%s: noted, and counted', (_, { before, attack, share, by }) => {
  const simulation = createSimulation()
  simulation.reportAll(before?.() ?? [{ at: NOON - DAY_MS }])
  const events = attack().map((event) => simulation.report(event))
  expect(events.filter(({ isQuarantined }) => isQuarantined)).toEqual([])
  const noted = events.filter(({ findings }) => findings.some(({ rule }) => rule === by))
  expect(noted.length / events.length).toBeGreaterThanOrEqual(share)
})

test.each([
  ['without a time or a name', false],
  ['with times close together and names', true],
])('A7: a thousand copies of a payment %s count as seven and a half', (_, isNamed) => {
  const simulation = createSimulation()
  const copies = times(1_000, 5_000, (at, i) => ({
    ...paid(at, 149.37),
    ...(isNamed ? { occurredAt: at, externalId: `copy-${i}` } : {}),
  }))
  const shares = copies.map((event) => simulation.report(event).share)
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(7.49, 1)
})

test('events without figures that have exactly one time count as copies, and others do not', () => {
  const simulation = createSimulation()
  const shareAt = (occurredAt: number, type: 'task.completed' | 'task.failed' = 'task.completed') =>
    simulation.report({ at: NOON, type, occurredAt }).share
  expect([shareAt(EXACT), shareAt(EXACT), shareAt(EXACT, 'task.failed')]).toEqual([1, 1 / 2, 1 / 3])
  expect([shareAt(EXACT - 1), shareAt(EXACT - 2)]).toEqual([1, 1])
})

test('disputes at one price are no repeated event where their reporter has sent a batch with one time', () => {
  const simulation = createSimulation()
  const batch = (occurredAt: number, amounts: readonly number[], type: EventType) =>
    amounts.map((amount, i): SimulatedEvent => {
      const data = { amount, currency: 'USD' }
      return { type, data, occurredAt, at: occurredAt + HOUR_MS + i }
    })
  const disputes = (occurredAt: number) => batch(occurredAt, Array(20).fill(49), 'payment.disputed')
  expect(simulation.reportAll(disputes(EXACT - 2 * DAY_MS)).quarantined).toBe(0.95)
  simulation.reportAll(batch(EXACT - DAY_MS, [20, 49, 80], 'payment.completed'))
  expect(simulation.reportAll(disputes(EXACT)).quarantined).toBe(0)
})

test('failures that end at one deadline count in full from the second day on', () => {
  const simulation = createSimulation()
  const day = (ago: number) =>
    times(
      40,
      30 * MINUTE_MS,
      (at, i): SimulatedEvent =>
        i % 2
          ? { at, type: 'task.timeout', data: { duration: 604_800_000 } }
          : { at, data: { duration: 1_234 + i } },
      NOON - ago * DAY_MS,
    )
  const sharesOf = (events: readonly SimulatedEvent[]) =>
    events.map((event) => simulation.report(event).share).filter((_, i) => i % 2)
  expect(sharesOf(day(2)).slice(0, 3)).toEqual([1, 1 / 2, 1 / 3])
  expect(new Set(sharesOf(day(1)))).toEqual(new Set([1]))
})

describe('an agent finds reports of its own with the hash of a platform’s, as anyone does in a minute', () => {
  test('its payments make no dispute a copy of them', () => {
    const simulation = createSimulation()
    simulation.reportAll(times(99, 1000, (at) => ({ ...paid(at, 1_008_992.9561), by: null })))
    const data = { amount: 11_288.39, currency: 'USD' }
    const dispute = { type: 'payment.disputed', data, at: NOON + HOUR_MS } as const
    expect(simulation.report(dispute).share).toBe(1)
  })

  test('its task makes no failure identical to it', () => {
    const simulation = createSimulation()
    const occurredAt = Date.UTC(2026, 0, 1, 0, 0, 1)
    const at = occurredAt + MINUTE_MS
    simulation.report({ by: null, externalId: '180405303', occurredAt, at })
    const failure = { type: 'task.failed', externalId: 'order-40626726', occurredAt, at } as const
    expect(simulation.report(failure).isQuarantined).toBe(false)
  })
})

test('a copy that names another counterparty is another event', () => {
  const simulation = createSimulation()
  const data = { amount: 149.37, currency: 'USD' }
  const sales = times(20, 1_000, (at, i) => ({ at, data: { ...data, counterparty: `c${i}` } }))
  expect(new Set(sales.map((event) => simulation.report(event).share))).toEqual(new Set([1]))
})

describe('events at a whole minute, as of a reporter that knows the day in its time zone', () => {
  const dayInRome = Date.UTC(2026, 0, 4, 23)
  const sharesOf = (events: readonly SimulatedEvent[]) => {
    const simulation = createSimulation()
    const recorded = events.map((event) => simulation.report(event))
    return recorded.map(({ share, isQuarantined }) => (isQuarantined ? 0 : share))
  }

  test('all count where they have no figures', () => {
    const tasks = times(20, 1000, (at) => ({ at, occurredAt: dayInRome }), dayInRome + DAY_MS)
    expect(new Set(sharesOf(tasks))).toEqual(new Set([1]))
  })

  test.each([100, 149.37])('count less with each one that has the same amount of $%s', (amount) => {
    const sale = (at: number) => ({ ...paid(at, amount), occurredAt: dayInRome })
    const sales = times(20, 1000, sale, dayInRome + DAY_MS)
    expect(sharesOf(sales).slice(0, 3)).toEqual([1, 1 / 2, 1 / 3])
  })
})
