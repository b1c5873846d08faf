import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { MODEL } from '../../../src/domain/model.ts'
import { registeredState } from '../../../src/ingest/fold.ts'
import { recordReports, withoutKey } from '../../../src/ingest/record-reports.ts'
import type { Report } from '../../../src/ingest/report.ts'
import { insertAgentState } from '../../../src/store/postgres/agent-state-writes.ts'
import { sqlOn } from '../../../src/store/postgres/sql.ts'
import { inTransaction } from '../../../src/store/postgres/transaction.ts'
import type { Store } from '../../../src/store/store.ts'
import { benchRecorder } from '../recorder.ts'

/** Agents that one transaction adds. */
const AGENTS_PART = 500

/** Adds agents as registering does, except for the requests. Returns their ids. */
export async function addAgents(pool: pg.Pool, count: number): Promise<readonly string[]> {
  const ownerId = randomUUID()
  const createdAt = Date.now()
  const sql = sqlOn(pool)
  await sql('insert into owners (id, email, created_at) values ($1, $2, $3)', [
    ownerId,
    `${ownerId}@example.com`,
    createdAt,
  ])
  const ids: string[] = []
  while (ids.length < count) {
    const part = Array.from({ length: Math.min(AGENTS_PART, count - ids.length) }, () =>
      randomUUID(),
    )
    await inTransaction(pool, async (transaction) => {
      await transaction.sql(
        `insert into agents
           (id, owner_id, display_name, metadata, has_public_profile, created_at, updated_at)
         select id, $2, 'agent', '{}', false, $3, $3 from unnest($1::uuid[]) as t(id)`,
        [part, ownerId, createdAt],
      )
      const states = part.map((id) =>
        registeredState(MODEL, { id, ownerId, status: 'active', createdAt }),
      )
      await Promise.all(states.map((state) => insertAgentState(transaction.sql, state)))
    })
    ids.push(...part)
  }
  return ids
}

/** Reports in one transaction, and events in each: 256 as the service takes at once. */
const REPORTS = 16
const EVENTS = 16

const TYPES = ['task.completed', 'payment.completed', 'task.failed', 'uptime.report'] as const

/** Records this many events about these agents, in turn, by the code of the service. */
export async function addEvents(
  store: Store,
  platformId: string,
  agentIds: readonly string[],
  count: number,
): Promise<void> {
  const recorder = benchRecorder(Date.now)
  const batches = Math.ceil(count / (REPORTS * EVENTS))
  // Far apart, so that neighbours in time are no neighbours in the tables.
  const step = Math.max(1, Math.floor(agentIds.length / REPORTS))
  for (let i = 0; i < batches; i++) {
    const reports = Array.from({ length: REPORTS }, (_, k) =>
      reportOf(platformId, agentIds[(i + k * step) % agentIds.length] ?? '', i + k),
    )
    await recordReports(store, recorder, reports.map(withoutKey), { skipsLocked: false })
  }
}

function reportOf(platformId: string, agentId: string, turn: number): Report {
  return {
    agentId,
    reporter: { kind: 'platform', id: platformId },
    reporterOwnerId: null,
    reporterVerified: true,
    attestation: 'none',
    events: Array.from({ length: EVENTS }, (_, k) => ({
      type: TYPES[(turn + k) % TYPES.length] ?? 'task.completed',
    })),
  }
}
