import { dependsOnInstallation, ESTABLISHED } from '../../fraud/establishment.ts'
import type { AgentWrites, IngestResult, IngestScope, IngestView } from '../ingest.ts'
import { currentStateRows } from './agent-state-writes.ts'
import { agentRows, insertedRows } from './batch-rows.ts'
import type { Before } from './checkpoints.ts'
import { ENDORSEMENTS } from './endorsements.ts'
import type { GuardedWrites, Part } from './guarded-writes.ts'
import { lockKey } from './idempotency.ts'
import { currentHourRows } from './platform-hours.ts'
import { currentReporterRows, establishedCount } from './reporters.ts'
import { columns } from './rows.ts'
import type { DecidedBatch, StateCache } from './state-cache.ts'
import { HAS_SUBSCRIBER } from './subscribers.ts'

export interface GuardOptions {
  /** A UUIDv7, for a task. */
  readonly newId: () => string
  /** Whether the agents may have no subscriber. Default true. */
  readonly isNotified?: boolean
  /** The states before the batch; default those of the view. */
  readonly before?: Before
}

/** Whether one statement writes all of it: a kind of work that is new may have to replace another one. */
export function isPlain(
  { notifications, works }: IngestResult,
  { works: known }: Pick<IngestView, 'works'>,
): boolean {
  return notifications.length === 0 && works.every(({ kind }) => known.has(kind))
}

/**
 * The writes of a batch, which happen only if the rows that it was decided by are as this node cached them, the
 * agents have no subscriber, and no key and no name of the batch is in use. Rows that it was decided by but does
 * not write (a report may be refused) are locked instead, unless another transaction has locked them.
 */
export function guardedWrites(
  cache: StateCache,
  { scope, view, decided, version }: DecidedBatch,
  { newId, isNotified = true, before = view.agentStates }: GuardOptions,
): GuardedWrites {
  const { agentStates, reporters, platformHours } = decided
  const lockText = isNotified ? LOCK_PLAIN_AGENTS : LOCK_AGENTS
  const expected = (id: string) => cache.agents.get(id)?.version
  const agents = without(scope.agentIds, agentStates, (state) => state.agentId)
  const reporting = without(scope.reporterIds, reporters, (reporter) => reporter.platformId)
  const counting = without(scope.platformIds, platformHours, (hour) => hour.platformId)
  return {
    unused: unusedParts(scope),
    locks: [
      ...(agents.length > 0 ? [lockedAgents(cache, agents, lockText)] : []),
      ...(counting.length > 0 ? [lockedHours(view, counting)] : []),
      ...(reporting.length > 0 ? [lockedReporters(cache, reporting)] : []),
    ],
    updates: [
      currentStateRows(agentStates, version, expected, { isNotified }),
      currentHourRows(platformHours, view.platformHours),
      currentReporterRows(reporters, version, (id) => cache.reporters.get(id)?.version),
    ],
    conditions: [
      ...(dependsOnEstablished(scope, decided) ? [sameEstablished(view)] : []),
      ...(scope.endorsers.length > 0 ? [sameEndorsements(scope, view)] : []),
    ],
    inserts: Object.values(insertedRows(decided, before, newId)),
  }
}

/** What a batch reads and writes in one shard. */
export type ShardPart = Pick<IngestScope, 'agentIds' | 'reportKeys' | 'externalIds'> & AgentWrites

/** The guarded writes of what lies with the agents, for one shard. */
export function guardedInShard(
  cache: StateCache,
  part: ShardPart,
  { view, version }: DecidedBatch,
): GuardedWrites {
  const { agentStates } = part
  const agents = without(part.agentIds, agentStates, (state) => state.agentId)
  const expected = (id: string) => cache.agents.get(id)?.version
  return {
    unused: unusedParts(part),
    locks: agents.length > 0 ? [lockedAgents(cache, agents, LOCK_AGENTS)] : [],
    updates: [currentStateRows(agentStates, version, expected, { isNotified: false })],
    conditions: [],
    inserts: Object.values(agentRows(part, view.agentStates)),
  }
}

function unusedParts(scope: Pick<IngestScope, 'reportKeys' | 'externalIds'>): readonly Part[] {
  return [
    ...(scope.reportKeys.length > 0 ? [reservedKeys(scope)] : []),
    ...(scope.externalIds.length > 0 ? [unusedNames(scope)] : []),
  ]
}

function without<T>(
  ids: readonly string[],
  written: readonly T[],
  idOf: (one: T) => string,
): readonly string[] {
  if (written.length === ids.length) {
    return []
  }
  const known = new Set(written.map(idOf))
  return ids.filter((id) => !known.has(id))
}

function lockedAgents(cache: StateCache, ids: readonly string[], text: string) {
  const values = columns(
    ids,
    (id) => id,
    (id) => cache.agents.get(id)?.version,
  )
  return { text, values, rows: ids.length }
}

const lockAgents = (
  condition: string,
) => `select from unnest($1::uuid[], $2::bigint[]) as t(agent_id, version)
  join agent_states s on s.agent_id = t.agent_id and s.version = t.version
  where ${condition} order by s.agent_id for update of s skip locked`

const LOCK_AGENTS = lockAgents('true')
const LOCK_PLAIN_AGENTS = lockAgents(`not (${HAS_SUBSCRIBER})`)

function lockedHours({ platformHours }: IngestView, ids: readonly string[]) {
  const values = columns(
    ids,
    (id) => id,
    (id) => platformHours.get(id)?.startedAt,
    (id) => platformHours.get(id)?.count,
  )
  return { text: LOCK_HOURS, values, rows: ids.length }
}

const LOCK_HOURS = `select from unnest($1::uuid[], $2::bigint[], $3::int[])
    as t(platform_id, started_at, count)
  join platform_hours h on h.platform_id = t.platform_id and h.started_at = t.started_at
    and h.count = t.count
  order by h.platform_id for update of h skip locked`

function lockedReporters(cache: StateCache, ids: readonly string[]) {
  const values = columns(
    ids,
    (id) => id,
    (id) => cache.reporters.get(id)?.version,
  )
  return { text: LOCK_REPORTERS, values, rows: ids.length }
}

const LOCK_REPORTERS = `select from unnest($1::uuid[], $2::bigint[]) as t(platform_id, version)
  join reporters r on r.platform_id = t.platform_id and r.version = t.version
  order by r.platform_id for update of r skip locked`

/**
 * The weight of an established platform does not depend on their number, nor does that of a verified one that reports
 * only problems: then nothing is counted.
 */
export function dependsOnEstablished(
  { needsEstablished }: Pick<IngestScope, 'needsEstablished'>,
  { events }: Pick<IngestResult, 'events'>,
): boolean {
  return (
    needsEstablished &&
    events.some(({ event }) => event.reporter.kind === 'platform' && dependsOnInstallation(event))
  )
}

function sameEstablished({ establishedPlatforms }: IngestView): Part {
  return { text: SAME_ESTABLISHED, values: [establishedPlatforms, ESTABLISHED.installationMin] }
}

const SAME_ESTABLISHED = `least((${establishedCount('$2::int')}), $2::int) = $1::int`

function sameEndorsements({ endorsers }: IngestScope, { endorsements }: IngestView): Part {
  const pairs = columns(
    endorsers,
    ({ ownerId }) => ownerId,
    ({ agentId }) => agentId,
  )
  return { text: SAME_ENDORSEMENTS, values: [...pairs, endorsements.length] }
}

const SAME_ENDORSEMENTS = `(select count(*) from (${ENDORSEMENTS}) e) = $3::int`

/** As `tryReserve` does: two requests with one key never run at the same time, on any number of nodes. */
function reservedKeys({ reportKeys }: Pick<IngestScope, 'reportKeys'>): Part {
  const values = columns(
    reportKeys,
    (key) => key.agentId,
    (key) => key.scope,
    (key) => lockKey(key.scope),
  )
  return { text: RESERVE_KEYS, values }
}

const RESERVE_KEYS = `(select bool_and(pg_try_advisory_xact_lock(key)) from unnest($3::bigint[]) as t(key))
  and not exists (
    select from unnest($1::uuid[], $2::bytea[]) as t(agent_id, scope)
    join report_responses r on r.agent_id = t.agent_id and r.scope = t.scope)`

function unusedNames({ externalIds }: Pick<IngestScope, 'externalIds'>): Part {
  const values = columns(
    externalIds,
    (name) => name.agentId,
    (name) => name.reporterId,
    (name) => name.externalId,
  )
  return { text: FIND_NAMES, values }
}

const FIND_NAMES = `not exists (
  select from unnest($1::uuid[], $2::uuid[], $3::text[]) as t(agent_id, reporter_id, external_id)
  join external_ids x on x.agent_id = t.agent_id and x.reporter_id = t.reporter_id
    and x.external_id = t.external_id)`
