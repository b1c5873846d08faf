import { backupIn, haltIn, ISSUING_HALT, LATEST_BACKUP } from '../installation.ts'
import {
  BACKLOG_MAX,
  type Backlog,
  type Backlogs,
  type Figures,
  type StatsStore,
} from '../stats.ts'
import { installationStore } from './installation.ts'
import { AWAITS_RELEASE, AWAITS_REVIEW } from './reviews.ts'
import { isTest } from './rows.ts'
import type { Session } from './session.ts'
import { databaseBytes, tableBytes } from './sizes.ts'
import type { Sql } from './sql.ts'

/** The tables whose size follows from the traffic. */
const TABLES = [
  'agent_states',
  'archived_events',
  'audit',
  'checkpoints',
  'quarantined_evidence',
  'credentials',
  'deliveries',
  'events',
  'external_ids',
  'notifications',
  'quota_lookups',
  'report_responses',
  'snapshots',
  'stored_responses',
] as const

/** Everything that waits is found by an index of what waits, and counted up to a bound. */
const WAITING: Readonly<Record<string, readonly [at: string, from: string]>> = {
  reviews: [
    'created_at',
    `events where ${AWAITS_REVIEW}
       and not ${isTest('agent_id')}
     order by created_at, id`,
  ],
  releases: [
    "(review -> 'decisions' -> -1 ->> 'decidedAt')::bigint",
    `events where ${AWAITS_RELEASE} order by agent_id, seq`,
  ],
  mails: ['created_at', 'mail_queue order by next_attempt_at'],
  erasures: ['created_at', 'erasures where finished_at is null order by created_at'],
  discards: ['requested_at', 'discards where finished_at is null order by requested_at'],
  identifierChecks: [
    'next_check_at',
    "identifiers where status = 'verified' and next_check_at <= $1 order by next_check_at",
  ],
}

/** On the connections for lists: many readers of metrics delay no report. */
export function statsStore(session: Session): StatsStore {
  const { lagging: sql, shards } = session
  const installation = installationStore({ ...session, sql })
  return {
    // One after the other: they take one of the connections for lists, and not all.
    async figures() {
      return {
        ...(await sizes(sql, shards !== null)),
        webhooks: await webhooksByStatus(sql),
        signingKeys: await signingKeys(sql),
        lastBackupAt:
          backupIn(await installation.find({ name: LATEST_BACKUP }))?.verifiedAt ?? null,
        issuingHaltedAt: haltIn(await installation.find({ name: ISSUING_HALT }))?.at ?? null,
      }
    },
    backlogs: (now, modelVersion) => backlogs(sql, now, modelVersion),
  }
}

async function backlogs(sql: Sql, now: number, modelVersion: string): Promise<Backlogs> {
  const named: Record<string, Backlog> = {}
  for (const [name, where] of Object.entries(WAITING)) {
    named[name] = await backlog(sql, where, now)
  }
  return {
    ...(named as Pick<
      Backlogs,
      'reviews' | 'releases' | 'mails' | 'erasures' | 'discards' | 'identifierChecks'
    >),
    deliveries: await deliveryBacklog(sql, now),
    ...(await modelCounts(sql, modelVersion)),
  }
}

async function sizes(
  sql: Sql,
  isDistributed: boolean,
): Promise<Pick<Figures, 'databaseNow' | 'databaseBytes' | 'tableBytes'>> {
  const rows = await sql<{ name: string; bytes: number; now: number; database: number }>(
    `select name, (${tableBytes({ isDistributed })})::float8 as bytes,
       (${databaseBytes({ isDistributed })})::float8 as database,
       floor(extract(epoch from clock_timestamp()) * 1000)::float8 as now
     from unnest($1::text[]) as name`,
    [TABLES],
  )
  const { now = 0, database = 0 } = rows[0] ?? {}
  const byTable = new Map(rows.map(({ name, bytes }) => [name, bytes]))
  return { databaseNow: now, databaseBytes: database, tableBytes: byTable }
}

async function backlog(
  sql: Sql,
  [at, from]: readonly [string, string],
  now: number,
): Promise<Backlog> {
  const values = from.includes('$1') ? [now] : []
  const [row] = await sql<{ count: number; oldest: number | null }>(
    `select count(*)::int as count, min(at) as oldest
     from (select ${at} as at from ${from} limit ${BACKLOG_MAX}) as waiting`,
    values,
  )
  return { count: row?.count ?? 0, oldestAt: row?.oldest ?? null }
}

/** Of a paused or disabled subscription nothing is overdue; what a node has claimed is due when its claim ends. */
async function deliveryBacklog(sql: Sql, now: number): Promise<Backlog> {
  const [row] = await sql<{ count: number; oldest: number | null }>(
    `select
       (select count(*)::int from
         (select from deliveries where status = 'pending' limit ${BACKLOG_MAX}) as pending) as count,
       (select min(head.due_at) from webhooks
         cross join lateral (
           select due_at from delivery_queue_heads
           where webhook_id = webhooks.id order by due_at limit 1) as head
         where status = 'active' and deleted_at is null
           and coalesce(not_before, 0) <= $1 and head.due_at <= $1) as oldest`,
    [now],
  )
  return { count: row?.count ?? 0, oldestAt: row?.oldest ?? null }
}

async function webhooksByStatus(sql: Sql): Promise<Figures['webhooks']> {
  const rows = await sql<{ status: string; count: number }>(
    `select status, count(*)::int as count from webhooks where deleted_at is null group by status`,
  )
  return new Map(rows.map(({ status, count }) => [status, count]))
}

async function modelCounts(
  sql: Sql,
  modelVersion: string,
): Promise<Pick<Backlogs, 'agentsToMigrate' | 'checkpointsToAttribute'>> {
  // Citus reads each of the two by itself, and a row of its result needs a column.
  const [row] = await sql<{ agents: number; checkpoints: number }>(
    `select
       (select count(*)::int from
         (select 1 as one from agent_states where model_version < $1 or model_version > $1
          limit ${BACKLOG_MAX}) as other) as agents,
       (select count(*)::int from
         (select 1 as one from checkpoints where attribution is null limit ${BACKLOG_MAX}) as waiting)
         as checkpoints`,
    [modelVersion],
  )
  return { agentsToMigrate: row?.agents ?? 0, checkpointsToAttribute: row?.checkpoints ?? 0 }
}

async function signingKeys(sql: Sql): Promise<Figures['signingKeys']> {
  const rows = await sql<{ purpose: string; created_at: number }>(
    'select purpose, created_at from signing_keys where retired_at is null',
  )
  return new Map(rows.map(({ purpose, created_at }) => [purpose, created_at]))
}
