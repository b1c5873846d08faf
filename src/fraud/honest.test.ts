import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/time.ts'
import { createSimulation, type SimulatedEvent } from '../ingest/testing/simulation.ts'
import { hundredths, NOON, times } from '../ingest/testing/streams.ts'

/** Streams of honest users, odd as they look: none of their events is quarantined. */
const HONEST: Readonly<Record<string, () => readonly SimulatedEvent[]>> = {
  'the same result again and again, within seconds': () =>
    times(600, 10, (at) => ({ at, data: { success: true } })),
  'ten self-reports of a new agent in a second': () =>
    times(10, 100, (at, i) => ({ at, by: null, data: { success: true, duration: 1234 + i } })),
  'a fixed price, paid every minute, each with an externalId': () =>
    times(300, MINUTE_MS, (at, i) => ({
      at,
      type: 'payment.completed',
      data: { amount: 1999.99, currency: 'USD' },
      occurredAt: at,
      externalId: `invoice-${i}`,
    })),
  'a fixed price, paid four times a day without an externalId, for two months': () =>
    times(240, 6 * HOUR_MS, (at) => ({
      at,
      type: 'payment.completed',
      data: { amount: 49.99, currency: 'USD' },
    })),
  'a monitor that reports the same uptime every quarter of an hour, for ten days': () =>
    times(960, 15 * MINUTE_MS, (at) => ({
      at,
      type: 'uptime.report',
      data: { uptimePercentage: 99.99, responseTimeMs: 120 },
    })),
  'payments of very different amounts by a new agent': () =>
    times(200, 1000, (at, i) => ({
      at,
      type: 'payment.completed',
      data: { amount: 10 + ((i * 7919) % 4990), currency: 'USD' },
    })),
  'payments that grow from ten dollars to five thousand': () =>
    times(100, 1000, (at, i) => ({
      at,
      type: 'payment.completed',
      data: { amount: 10 * 500 ** (i / 99), currency: 'USD' },
    })),
  'a history of 29 days, sent in at once': () =>
    times(580, 10, (at, i) => ({ at, occurredAt: at - 29 * DAY_MS + (i * 29 * DAY_MS) / 580 })),
  'the same with the same figures in every event': () =>
    times(580, 10, (at, i) => ({
      at,
      type: 'payment.completed',
      data: { amount: 149.37, currency: 'USD' },
      occurredAt: at - 29 * DAY_MS + i * 3_600_000,
    })),
  'a nightly batch of tasks and payments without figures, all with the time of the batch': () =>
    times(200, 50, (at, i) => ({
      at,
      type: i % 10 === 0 ? 'task.failed' : i % 3 === 0 ? 'payment.completed' : 'task.completed',
      occurredAt: NOON - 17_001,
    })),
  'a nightly batch that names its only customer, and failures by their error code, all with the time of the batch':
    () =>
      times(200, 50, (at, i) => ({
        at,
        type: i % 10 === 0 ? 'task.failed' : 'task.completed',
        data: i % 10 === 0 ? { counterparty: 'acme', errorCode: 'E42' } : { counterparty: 'acme' },
        occurredAt: NOON - 17_001,
      })),
  'a nightly batch of sales at three prices, all with the time of the batch': () =>
    times(200, 50, (at, i) => ({
      at,
      type: i % 10 === 0 ? 'payment.disputed' : 'payment.completed',
      data: { amount: [20, 49.9, 99.99][i % 3], currency: 'USD' },
      occurredAt: NOON - 17_001,
    })),
  '9,500 good and 500 bad by one platform': () =>
    times(10_000, 5, (at, i) => ({ at, type: i < 9_500 ? 'task.completed' : 'task.failed' })),
  'an agent that fails from one day on, as all its platforms say': () => {
    const next = hundredths(3)
    return times(2_000, 20 * MINUTE_MS, (at, i) => ({
      at,
      by: `p${next() % 4}`,
      type: i < 1_000 ? 'task.completed' : 'task.failed',
    }))
  },
  'a payment that fails after many small ones, however large': () => [
    ...times(40, MINUTE_MS, (at) => ({
      at,
      type: 'payment.completed' as const,
      data: { amount: 10, currency: 'USD' },
    })),
    { at: NOON + DAY_MS, type: 'payment.disputed', data: { amount: 50_000, currency: 'USD' } },
  ],
  'a busy platform that reports on many agents, and then much on one': () => [
    ...times(300, 1000, (at, i) => ({ at, agent: `agent-${i}` })),
    ...times(600, 10, (at) => ({ at: at + DAY_MS })),
  ],
  'three platforms in turn, second by second, for a day': () =>
    times(600, 1000, (at, i) => ({ at, by: `p${i % 3}` })),
  'an owner whose own platform reports a day’s work': () =>
    times(150, 1000, (at) => ({ at, byOwner: 'agent' })),
  'partners whose platforms report on each other’s agents, failures included': () => {
    const next = hundredths(7)
    return times(400, MINUTE_MS, (at, i) => ({
      at,
      agent: i % 2 ? 'a' : 'b',
      by: i % 2 ? 'of-b' : 'of-a',
      byOwner: i % 2 ? 'b' : 'a',
      type: next() < 96 ? 'task.completed' : 'task.failed',
    }))
  },
  'three platforms that send a day’s reports in one nightly batch, for a month': () =>
    times(30 * 60, 1, (_, i) => ({
      at: NOON + Math.floor(i / 60) * DAY_MS + (i % 60) * 200,
      by: `p${i % 3}`,
      type: i % 33 === 0 ? ('task.failed' as const) : ('task.completed' as const),
    })),
  'a hundred times the usual volume on one day of the year': () => [
    ...times(200, DAY_MS / 10, (at, i) => ({ at, by: `p${i % 4}` }), NOON - 20 * DAY_MS),
    ...times(1_000, 40_000, (at, i) => ({
      at,
      by: `p${i % 4}`,
      type: i % 33 === 0 ? ('task.failed' as const) : ('task.completed' as const),
    })),
  ],
  'large payments from the first day on': () =>
    times(60, HOUR_MS, (at, i) => ({
      at,
      type: 'payment.completed',
      data: { amount: 20_000 + 137 * i, currency: 'USD' },
    })),
  'a platform that reports nothing but failures of an agent others praise': () =>
    times(600, HOUR_MS, (at, i) => ({
      at,
      by: `p${i % 3}`,
      type: i % 3 === 0 ? ('payment.disputed' as const) : ('task.completed' as const),
    })),
  'thirty traders who rate once each, ten of them badly': () => {
    const next = hundredths(5)
    return times(30, HOUR_MS, (at, i) => ({
      at,
      by: `trader-${i}`,
      type: next() < 33 ? 'task.failed' : 'task.completed',
    }))
  },
  'a newcomer to a second platform who fails there three times at first': () => [
    ...times(60, HOUR_MS, (at) => ({ at, by: 'first' }), NOON - 5 * DAY_MS),
    ...times(9, HOUR_MS, (at, i) => ({
      at,
      by: 'second',
      type: i < 3 ? ('task.failed' as const) : ('task.completed' as const),
    })),
  ],
  'an agent that comes back after a summer': () => [
    ...times(60, DAY_MS, (at) => ({ at }), NOON - 200 * DAY_MS),
    ...times(20, MINUTE_MS, (at) => ({ at })),
  ],
}

test.each(Object.entries(HONEST))('no event is quarantined of %s', (_, stream) => {
  expect(createSimulation().reportAll(stream())).toEqual({ quarantined: 0, flags: new Set() })
})
