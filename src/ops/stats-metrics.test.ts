import { expect, test } from 'vitest'
import type { Backlogs, Figures } from '../store/stats.ts'
import { createMetrics } from './metrics.ts'
import { watchStats } from './stats-metrics.ts'

const NOTHING = { count: 0, oldestAt: null }

const BACKLOGS: Backlogs = {
  reviews: NOTHING,
  releases: NOTHING,
  deliveries: NOTHING,
  mails: NOTHING,
  erasures: NOTHING,
  discards: NOTHING,
  identifierChecks: NOTHING,
  agentsToMigrate: 0,
  checkpointsToAttribute: 0,
}

const FIGURES: Figures = {
  databaseNow: 0,
  databaseBytes: 42,
  tableBytes: new Map(),
  webhooks: new Map(),
  lastBackupAt: null,
  issuingHaltedAt: null,
  signingKeys: new Map(),
}

/** What a second of an attack on a public address may be. */
const AT_ONCE = 10_000

test('simultaneous reads of the metrics read the database once and format the text once', async () => {
  let read = 0
  let written = 0
  const metrics = createMetrics()
  metrics.gauge('written', 'How often the text was written', () => ++written)
  watchStats(metrics, {
    stats: {
      async figures() {
        read++
        return FIGURES
      },
      backlogs: async () => BACKLOGS,
    },
    now: () => 0,
    onError(error) {
      throw error
    },
  })
  const texts = await Promise.all(Array.from({ length: AT_ONCE }, () => metrics.text()))
  expect(new Set(texts).size).toBe(1)
  expect(texts[0]).toMatch(/^standing_database_bytes 42$/m)
  expect({ read, written }).toEqual({ read: 1, written: 1 })
})
