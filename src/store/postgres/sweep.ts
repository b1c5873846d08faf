import type { Sweepable } from '../store.ts'
import type { Sql } from './sql.ts'

/** Rows deleted by one statement: some tens of milliseconds of work. */
const SWEPT_MAX = 1_000

/** The table, its key, and the column whose time decides. */
const TABLES: Readonly<Record<Sweepable, readonly [table: string, key: string, column: string]>> = {
  storedResponses: ['stored_responses', 'scope', 'expires_at'],
  reportResponses: ['report_responses', '(agent_id, scope)', 'expires_at'],
  keys: ['api_keys', 'hash', 'expires_at'],
  sessions: ['sessions', 'id', 'expires_at'],
  invitations: ['invitations', 'id', 'expires_at'],
  oneTimeTokens: ['one_time_tokens', 'hash', 'expires_at'],
  loginFailures: ['login_failures', 'ctid', 'at'],
  loginSuccesses: ['login_successes', 'name', 'at'],
  rememberedAgents: ['remembered_agents', 'ctid', 'expires_at'],
  decisions: ['decisions', '(platform_id, id)', 'created_at'],
  quotaRequests: ['quota_requests', 'account', 'started_at'],
  quotaLookups: ['quota_lookups', 'account', 'started_at'],
}

export function sweep(sql: Sql, what: Sweepable, until: number): Promise<number> {
  const [table, key, column] = TABLES[what]
  const columns = key.replaceAll(/[()]/g, '')
  const expired = `select ${columns} from ${table} where ${column} <= $1 order by ${column} limit $2`
  // An array is read by the index of a single column; there are no arrays of several. Rows that others
  // have locked are left to the next sweep: those who lock several do so in another order than this.
  // Citus cannot skip them in a distributed table, whose key has several columns.
  const isListed =
    columns === key ? `= any(array(${expired} for update skip locked))` : `in (${expired})`
  return sql.written(
    // Another transaction may renew a row after it was listed, as it does for a key that is used again.
    `delete from ${table} where ${key} ${isListed} and ${column} <= $1`,
    [until, SWEPT_MAX],
  )
}
