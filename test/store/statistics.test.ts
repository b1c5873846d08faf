import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { NO_REPORTS } from '../../src/fraud/reporter-stats.ts'
import type { IngestResult, IngestView } from '../../src/store/ingest.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { readReporters } from '../../src/store/postgres/reporters.ts'
import { sqlOn } from '../../src/store/postgres/sql.ts'
import { createStatisticsWriter } from '../../src/store/postgres/statistics.ts'
import { createDatabase } from '../support/database.ts'
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { eventually } from '../support/eventually.ts'

const NOTHING_READ = { reporters: new Map(), works: new Map() } as unknown as IngestView

/** One report by a platform. */
function reportBy(platformId: string): IngestResult {
  const record = { ...NO_REPORTS, events: 1 }
  const reporters = [{ platformId, record }]
  return { reporters, works: [], endorsements: [] } as unknown as IngestResult
}

test('statistics that are waited for survive a database that refuses connections for a while', async () => {
  const database = await createDatabase()
  const { proxy, url } = await startDatabaseProxy(database.url)
  const pool = createPool({ url })
  onTestFinished(async () => {
    await pool.end()
    await proxy.close()
    await database.drop()
  })
  const platformId = randomUUID()
  await pool.query(
    `insert into platforms (id, name, tier, status, require_attestation, verified, created_at, updated_at)
     values ($1, 'a', 'free', 'active', false, false, 0, 0)`,
    [platformId],
  )
  const writer = createStatisticsWriter(pool)
  let isWritten = false
  const written: Promise<void>[] = []
  const open = pool.connect.bind(pool) as (...args: unknown[]) => void
  const connect = vi.spyOn(pool, 'connect').mockImplementation((...args: unknown[]) => {
    if (written.length === 1) {
      // While the first attempt is being made.
      written.push(writer.written().finally(() => (isWritten = true)))
    }
    return open(...args)
  })
  proxy.refuse()
  writer.add(NOTHING_READ, reportBy(platformId))
  written.push(writer.written())
  await eventually(() => expect(connect.mock.calls.length).toBeGreaterThan(8))
  expect(isWritten).toBe(false)
  proxy.heal()
  await Promise.all(written)
  const [[, stored] = []] = await readReporters(sqlOn(pool), [platformId])
  expect(stored?.value.events).toBe(1)
})
