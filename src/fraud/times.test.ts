import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../domain/time.ts'
import { createSimulation } from '../ingest/testing/simulation.ts'
import { NOON, times } from '../ingest/testing/streams.ts'

/** Midnight in UTC is four hours after the oldest time that is accepted then. */
const EVENING = NOON + 8 * HOUR_MS
const MIDNIGHT = EVENING - 30 * DAY_MS + 4 * HOUR_MS

test('a date without a time is at no limit of the accepted range, however many times are', () => {
  const simulation = createSimulation()
  const rulesOf = (occurredAt: number, at = EVENING) =>
    simulation.report({ at, occurredAt }).findings.map(({ rule }) => rule)
  for (const { at } of times(30, 1_000, (at) => ({ at }), EVENING - HOUR_MS)) {
    rulesOf(at - 30 * DAY_MS + 1, at)
  }
  expect(rulesOf(MIDNIGHT + 1)).toContain('window_edge')
  expect(rulesOf(MIDNIGHT)).not.toContain('window_edge')
})
