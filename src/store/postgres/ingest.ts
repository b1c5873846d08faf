import type { HourCount } from '../../domain/limits.ts'
import type { StoredResponse } from '../idempotency.ts'
import {
  type ExternalName,
  externalKey,
  type IngestEvents,
  type IngestResult,
  type IngestScope,
  type IngestView,
  type KnownEvent,
} from '../ingest.ts'
import type { Store } from '../store.ts'
import { lockAgentStates, lockShardedStates, saveAgentStates } from './agent-states.ts'
import { archivedAfter } from './archive.ts'
import { dueCheckpoints, insertCheckpoints } from './checkpoints.ts'
import { type EventColumns, toEvent } from './event-columns.ts'
import { insertEvents } from './events.ts'
import { findReportResponses, insertReportResponses, tryReserve } from './idempotency.ts'
import { type JoinedWrites, joinWrites } from './joined-writes.ts'
import { insertNotifications } from './notifications.ts'
import {
  lockReporters,
  ownerPairs,
  readEndorsements,
  readEndorsementsBetween,
  saveEndorsements,
  saveReporters,
} from './reporters.ts'
import { columns, type RowsWrite, rowsWrite, writeRows } from './rows.ts'
import type { Session } from './session.ts'
import { shardedWrites } from './sharded-writes.ts'
import type { ShardBounds } from './shards.ts'
import { insertSnapshots } from './snapshots.ts'
import type { Sql } from './sql.ts'
import { newVersion } from './state-cache.ts'
import { readWorkStats, saveWorkStats } from './work-stats.ts'

export interface IngestWithinOptions {
  /** Takes the writes where the commit is to follow them at once; otherwise they are waited for. */
  readonly onSent?: (writing: Promise<unknown>) => void
  /** Called before the writes with what they will be. */
  readonly onDecided?: (
    scope: IngestScope,
    view: IngestView,
    decided: IngestResult,
    version: number,
  ) => void
}

/** Stores events in the transaction of the session. */
export function ingestWithin(
  session: Session,
  within: () => Store,
  { onSent, onDecided }: IngestWithinOptions = {},
): IngestEvents {
  return async (scope, decide, follow) => {
    const view = await (session.shards
      ? readSharded(session.sql, session.shards, scope)
      : readIngest(session.sql, scope))
    const decided = decide(view)
    const version = newVersion()
    onDecided?.(scope, view, decided, version)
    const writing = writeIngest(session, decided, view, version)
    await (onSent ? onSent(writing) : writing)
    if (follow?.isNeeded(decided)) {
      await follow.run(within(), decided)
    }
    await session.changed({
      kind: 'scores',
      ids: decided.agentStates.map(({ agentId }) => agentId),
    })
    return decided
  }
}

/**
 * Reads and locks what the events of one transaction touch. Every transaction locks in the same order
 * (keys, agents, platforms, reporters, external ids), so that writers queue and never deadlock.
 */
async function readIngest(sql: Sql, scope: IngestScope): Promise<IngestView> {
  // Sent together and run one after the other: each sees what was committed before it began.
  const [reserved, locked, platformHours, reporting, works, ...read] = await Promise.all([
    tryReserve(
      sql,
      scope.reportKeys.map((key) => key.scope),
    ),
    lockAgentStates(sql, scope.agentIds, scope.skipsLocked),
    lockPlatformHours(sql, scope.platformIds),
    lockReporters(sql, scope.reporterIds),
    readWorkStats(sql, scope.workKinds),
    readEndorsements(sql, scope.endorsers),
    findCredentials(sql, scope.credentialIds),
    findKnown(sql, scope.externalIds, FIND_KNOWN),
    findReportResponses(sql, scope.reportKeys),
  ])
  const [endorsements, credentials, known, responses] = read
  return {
    ...locked,
    platformHours,
    ...reporting,
    works,
    endorsements,
    credentials,
    known,
    storedResponses: responsesByKey(reserved, responses),
  }
}

/** Reads the view where agents lie on other servers: what is read of them is asked for by shard. */
async function readSharded(sql: Sql, shards: ShardBounds, scope: IngestScope): Promise<IngestView> {
  const [reserved, locked] = await Promise.all([
    tryReserve(
      sql,
      scope.reportKeys.map(({ scope: key }) => key),
    ),
    lockShardedStates(sql, shards, scope),
  ])
  const ownerOf = (agentId: string) => locked.agentStates.get(agentId)?.ownerId
  const [platformHours, reporting, works, endorsements, credentials, known, responses] =
    await Promise.all([
      lockPlatformHours(sql, scope.platformIds),
      lockReporters(sql, scope.reporterIds),
      readWorkStats(sql, scope.workKinds),
      readEndorsementsBetween(sql, ownerPairs(scope, ownerOf)),
      findCredentials(sql, scope.credentialIds),
      findKnown(sql, scope.externalIds, FIND_SHARDED_KNOWN),
      findReportResponses(sql, scope.reportKeys),
    ])
  return {
    ...locked,
    platformHours,
    ...reporting,
    works,
    endorsements,
    credentials,
    known,
    storedResponses: responsesByKey(reserved, responses),
  }
}

function responsesByKey(
  reserved: ReadonlyMap<string, boolean>,
  responses: readonly StoredResponse[],
): IngestView['storedResponses'] {
  const byKey = new Map<string, StoredResponse | 'busy'>()
  for (const response of responses) {
    byKey.set(hex(response.scope), response)
  }
  for (const [scopeHex, isReserved] of reserved) {
    if (!isReserved) {
      byKey.set(scopeHex, 'busy')
    }
  }
  return byKey
}

/** Writes what was decided: nearly all of it in one statement, and all statements sent together. */
async function writeIngest(
  session: Session,
  result: IngestResult,
  view: IngestView,
  version: number,
): Promise<void> {
  const { sql, send } = session.shards ? singly(session.sql) : joinWrites(session.sql)
  // A response may be that there is no such agent, and then there is no row to store it with.
  const areKnown =
    !session.shards || result.storedResponses.every((r) => view.agentStates.has(r.agentId))
  await Promise.all([
    ...writeResult(sql, result, view, version),
    insertReportResponses(areKnown ? sql : session.sql, result.storedResponses),
    send(),
    insertNotifications(session, result.notifications),
  ])
}

/** Each table by a statement of its own: on a cluster one statement writes to one table. */
function singly(sql: Sql): JoinedWrites {
  return { sql: shardedWrites(sql), async send() {} }
}

/** The rows that every batch may write, each table by one statement. */
function writeResult(
  sql: Sql,
  result: IngestResult,
  view: IngestView,
  version: number,
): readonly Promise<unknown>[] {
  return [
    saveAgentStates(sql, result.agentStates, version),
    savePlatformHours(sql, result.platformHours),
    saveReporters(sql, result.reporters, version),
    saveWorkStats(sql, result.works, view.works),
    saveEndorsements(sql, result.endorsements),
    insertEvents(
      sql,
      result.events.map(({ event }) => event),
    ),
    insertExternalIds(sql, result.events),
    insertSnapshots(sql, result.snapshots),
    insertCheckpoints(sql, dueCheckpoints(result.agentStates, view.agentStates)),
  ]
}

async function lockPlatformHours(
  sql: Sql,
  platformIds: readonly string[],
): Promise<ReadonlyMap<string, HourCount>> {
  if (platformIds.length === 0) {
    return new Map()
  }
  const lock = () =>
    sql<{ platform_id: string; started_at: number; count: number }>(
      `select platform_id, started_at, count from platform_hours
       where platform_id = any($1::uuid[]) order by platform_id for update`,
      [platformIds],
    )
  let rows = await lock()
  if (rows.length < platformIds.length) {
    // A platform without a row cannot be locked: its row is inserted first.
    await sql(
      `insert into platform_hours (platform_id, started_at, count)
       select id, 0, 0 from unnest($1::uuid[]) as t(id) order by id on conflict do nothing`,
      [platformIds],
    )
    rows = await lock()
  }
  return new Map(
    rows.map((row) => [row.platform_id, { startedAt: row.started_at, count: row.count }]),
  )
}

async function savePlatformHours(sql: Sql, hours: IngestResult['platformHours']): Promise<void> {
  await writeRows(sql, 'platform hours', rowsWrite(SAVE_HOURS, hours, HOUR_VALUES))
}

type PlatformHour = IngestResult['platformHours'][number]

const HOUR_VALUES = [
  (h: PlatformHour) => h.platformId,
  (h: PlatformHour) => h.hour.startedAt,
  (h: PlatformHour) => h.hour.count,
]

const SAVE_HOURS = `update platform_hours p set started_at = t.started_at, count = t.count
  from unnest($1::uuid[], $2::bigint[], $3::int[]) as t(platform_id, started_at, count)
  where p.platform_id = t.platform_id`

/** Only where they are as before. */
export function currentHourRows(
  hours: readonly PlatformHour[],
  before: IngestView['platformHours'],
): RowsWrite {
  return rowsWrite(SAVE_CURRENT_HOURS, hours, [
    ...HOUR_VALUES,
    (h) => before.get(h.platformId)?.startedAt,
    (h) => before.get(h.platformId)?.count,
  ])
}

const SAVE_CURRENT_HOURS = `update platform_hours p set started_at = t.started_at, count = t.count
  from unnest($1::uuid[], $2::bigint[], $3::int[], $4::bigint[], $5::int[])
    as t(platform_id, started_at, count, expected_start, expected_count)
  where p.platform_id = t.platform_id and p.started_at = t.expected_start
    and p.count = t.expected_count`

interface CredentialColumns {
  id: string
  agent_id: string
  type: string
  expires_at: number | null
}

export async function findCredentials(
  sql: Sql,
  ids: readonly string[],
): Promise<IngestView['credentials']> {
  if (ids.length === 0) {
    return new Map()
  }
  const rows = await sql<CredentialColumns>(
    `select id, agent_id, type, expires_at from credentials
     where id = any($1::uuid[]) and revoked_at is null`,
    [ids],
  )
  return new Map(
    rows.map((row) => [
      row.id,
      { agentId: row.agent_id, type: row.type, expiresAt: row.expires_at },
    ]),
  )
}

interface KnownColumns extends EventColumns {
  named_by: string
  named_agent: string
  named_seq: number
  name: string
  digest: Buffer
}

const findKnownText = (named: string, stored: string) =>
  `select e.*, x.reporter_id as named_by, x.agent_id as named_agent, x.seq as named_seq,
     x.external_id as name, x.digest
   from unnest($1::uuid[], $2::uuid[], $3::text[]) as t(reporter_id, agent_id, external_id)
   join external_ids x on x.reporter_id = t.reporter_id and x.agent_id = t.agent_id
     and x.external_id = t.external_id ${named}
   left join events e on e.agent_id = x.agent_id and e.seq = x.seq ${stored}`

const FIND_KNOWN = findKnownText('', '')

/**
 * Only where the agents are named is a cluster asked where they are. A single server would then read all names
 * of these agents.
 */
const FIND_SHARDED_KNOWN = findKnownText(
  'and x.agent_id = any($2::uuid[])',
  'and e.agent_id = any($2::uuid[])',
)

async function findKnown(
  sql: Sql,
  names: readonly ExternalName[],
  text: string,
): Promise<IngestView['known']> {
  if (names.length === 0) {
    return new Map()
  }
  const rows = await sql<KnownColumns | (KnownColumns & { id: null })>(
    text,
    columns(
      names,
      (n) => n.reporterId,
      (n) => n.agentId,
      (n) => n.externalId,
    ),
  )
  const known = new Map<string, KnownEvent>()
  for (const row of rows) {
    const { named_by: reporterId, named_agent: agentId, named_seq: seq, name, digest } = row
    const event = row.id === null ? (await archivedAfter(sql, agentId, seq - 1))[0] : toEvent(row)
    if (event?.seq !== seq) {
      throw new Error(`event ${seq} of agent ${agentId} is named, and not stored`)
    }
    known.set(externalKey({ reporterId, agentId, externalId: name }), { event, digest })
  }
  return known
}

/** Another node may have stored the same name since it was read: then this fails, and all runs again. */
async function insertExternalIds(sql: Sql, events: IngestResult['events']): Promise<void> {
  await writeRows(sql, 'external ids', externalIdRows(events))
}

export function externalIdRows(events: IngestResult['events']): RowsWrite {
  const named = events
    .filter(({ name }) => name !== null)
    .map((one) => ({ ...one, key: nameOf(one) }))
    .sort((a, b) => compare(a.key, b.key))
  return rowsWrite(INSERT_EXTERNAL_IDS, named, [
    ({ event }) => event.reporter.id,
    ({ name }) => name,
    ({ event }) => event.agentId,
    ({ event }) => event.seq,
    ({ digest }) => digest,
  ])
}

const INSERT_EXTERNAL_IDS = `insert into external_ids (reporter_id, external_id, agent_id, seq, digest)
  select reporter_id, external_id, agent_id, seq, digest
  from unnest($1::uuid[], $2::text[], $3::uuid[], $4::bigint[], $5::bytea[])
    as t(reporter_id, external_id, agent_id, seq, digest)`

function nameOf({ event, name }: IngestResult['events'][number]): string {
  return `${event.reporter.id} ${event.agentId} ${name}`
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
