import { ESTABLISHED } from '../../fraud/establishment.ts'
import type { IngestScope, IngestView } from '../ingest.ts'
import { lockKey } from './idempotency.ts'
import type { Guard } from './joined-writes.ts'
import { ENDORSEMENTS, ESTABLISHED_COUNT } from './reporters.ts'
import { columns } from './rows.ts'
import { HAS_SUBSCRIBER } from './scores.ts'
import type { StateCache } from './state-cache.ts'

/** Conditions of a guard, each with its values. */
interface Parts {
  readonly locks: string[]
  readonly unchanged: string[]
  readonly unused: string[]
  readonly values: unknown[]
}

/**
 * Holds where the rows that a batch was decided by are as this node remembers them, and locks them; where
 * the agents have no subscriber; and where no key and no name of the batch is in use. A row that another
 * transaction has locked is not waited for.
 */
export function guardOf(cache: StateCache, scope: IngestScope, view: IngestView): Guard {
  const parts: Parts = { locks: [], unchanged: [], unused: [], values: [] }
  lockAgents(parts, cache, scope)
  if (scope.platformIds.length > 0) {
    lockHours(parts, scope, view)
  }
  if (scope.reporterIds.length > 0) {
    lockReporters(parts, cache, scope, view)
  }
  if (scope.endorsers.length > 0) {
    compareEndorsements(parts, scope, view)
  }
  if (scope.reportKeys.length > 0) {
    reserveKeys(parts, scope)
  }
  if (scope.externalIds.length > 0) {
    findNames(parts, scope)
  }
  const { locks, unchanged, unused, values } = parts
  return {
    text: `${locks.join(', ')}, guard as materialized (
      select ${unchanged.join(' and ')} as unchanged, ${unused.join(' and ') || 'true'} as unused)`,
    values,
  }
}

/** Adds values, and returns how the text names them. */
function add(parts: Parts, values: readonly unknown[]): readonly string[] {
  const before = parts.values.length
  parts.values.push(...values)
  return values.map((_, i) => `$${before + i + 1}`)
}

function lockAgents(parts: Parts, cache: StateCache, { agentIds }: IngestScope): void {
  const versions = columns(
    agentIds,
    (id) => id,
    (id) => cache.agents.get(id)?.version,
  )
  const [ids, expected, count] = add(parts, [...versions, agentIds.length])
  parts.locks.push(`agents_locked as materialized (
    select from unnest(${ids}::uuid[], ${expected}::bigint[]) as t(agent_id, version)
    join agent_states s on s.agent_id = t.agent_id and s.version = t.version
    where not (${HAS_SUBSCRIBER}) order by s.agent_id for update of s skip locked)`)
  parts.unchanged.push(`(select count(*) from agents_locked) = ${count}::int`)
}

function lockHours(parts: Parts, { platformIds }: IngestScope, view: IngestView): void {
  const hours = columns(
    platformIds,
    (id) => id,
    (id) => view.platformHours.get(id)?.startedAt,
    (id) => view.platformHours.get(id)?.count,
  )
  const [ids, startedAt, counted, count] = add(parts, [...hours, platformIds.length])
  parts.locks.push(`hours_locked as materialized (
    select from unnest(${ids}::uuid[], ${startedAt}::bigint[], ${counted}::int[])
      as t(platform_id, started_at, count)
    join platform_hours h on h.platform_id = t.platform_id and h.started_at = t.started_at
      and h.count = t.count
    order by h.platform_id for update of h skip locked)`)
  parts.unchanged.push(`(select count(*) from hours_locked) = ${count}::int`)
}

function lockReporters(
  parts: Parts,
  cache: StateCache,
  { reporterIds }: IngestScope,
  { establishedPlatforms }: IngestView,
): void {
  const versions = columns(
    reporterIds,
    (id) => id,
    (id) => cache.reporters.get(id)?.version,
  )
  const values = [
    ...versions,
    reporterIds.length,
    ESTABLISHED.installationMin,
    establishedPlatforms,
  ]
  const [ids, expected, count, max = '', established] = add(parts, values)
  parts.locks.push(`reporters_locked as materialized (
    select from unnest(${ids}::uuid[], ${expected}::bigint[]) as t(platform_id, version)
    join reporters r on r.platform_id = t.platform_id and r.version = t.version
    order by r.platform_id for update of r skip locked)`)
  parts.unchanged.push(`(select count(*) from reporters_locked) = ${count}::int`)
  const counted = ESTABLISHED_COUNT.replaceAll('$2', `${max}::int`)
  parts.unchanged.push(`least((${counted}), ${max}::int) = ${established}::int`)
}

function compareEndorsements(
  parts: Parts,
  { endorsers }: IngestScope,
  { endorsements }: IngestView,
): void {
  const pairs = columns(
    endorsers,
    ({ ownerId }) => ownerId,
    ({ agentId }) => agentId,
  )
  const [owners = '', agents = '', count] = add(parts, [...pairs, endorsements.length])
  const found = ENDORSEMENTS.replace('$1', owners).replace('$2', agents)
  parts.unchanged.push(`(select count(*) from (${found}) e) = ${count}::int`)
}

/** As `tryReserve` does: two requests with one key never run at the same time, on any number of nodes. */
function reserveKeys(parts: Parts, { reportKeys }: IngestScope): void {
  const keys = columns(
    reportKeys,
    (key) => key.agentId,
    (key) => key.scope,
    (key) => lockKey(key.scope),
  )
  const [agents, scopes, locks] = add(parts, keys)
  parts.unused.push(
    `(select bool_and(pg_try_advisory_xact_lock(key)) from unnest(${locks}::bigint[]) as t(key))`,
    `not exists (
      select from unnest(${agents}::uuid[], ${scopes}::bytea[]) as t(agent_id, scope)
      join report_responses r on r.agent_id = t.agent_id and r.scope = t.scope)`,
  )
}

function findNames(parts: Parts, { externalIds }: IngestScope): void {
  const names = columns(
    externalIds,
    (name) => name.agentId,
    (name) => name.reporterId,
    (name) => name.externalId,
  )
  const [agents, reporters, given] = add(parts, names)
  parts.unused.push(`not exists (
    select from unnest(${agents}::uuid[], ${reporters}::uuid[], ${given}::text[])
      as t(agent_id, reporter_id, external_id)
    join external_ids x on x.agent_id = t.agent_id and x.reporter_id = t.reporter_id
      and x.external_id = t.external_id)`)
}
