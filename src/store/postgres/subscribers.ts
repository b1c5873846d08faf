import { columns } from './rows.ts'
import type { Sql } from './sql.ts'

/** Whether an agent has a webhook, a listener or a watcher, of a row `s` of `agent_states`. */
export const HAS_SUBSCRIBER = `exists (
      select from webhooks w where w.owner_id = s.owner_id and w.deleted_at is null)
    or exists (select from listeners l where l.owner_id = s.owner_id)
    or exists (select from watches h where h.agent_id = s.agent_id)`

/** Whether one of the agents `$1`, which belong to the owners `$2`, has a webhook, a listener or a watcher. */
export const HAVE_SUBSCRIBER = `exists (
      select from webhooks w where w.owner_id = any($2::uuid[]) and w.deleted_at is null)
    or exists (select from listeners l where l.owner_id = any($2::uuid[]))
    or exists (select from watches h where h.agent_id = any($1::uuid[]))`

/** Owners of the agents that have a subscriber. Most agents have none, and then no notification is written. */
export async function ownersWithSubscribers(
  sql: Sql,
  agents: readonly { readonly agent_id: string; readonly owner_id: string }[],
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ owner_id: string }>(
    `select distinct owner_id from unnest($1::uuid[], $2::uuid[]) as s(agent_id, owner_id)
     where ${HAS_SUBSCRIBER}`,
    columns(
      agents,
      (agent) => agent.agent_id,
      (agent) => agent.owner_id,
    ),
  )
  return new Set(rows.map((row) => row.owner_id))
}

/**
 * Whether an account, an owner or a platform, is not suspended: to one that is, nothing is sent. Without `exists`, which
 * may be planned as a join with a scan of all accounts: this is one index step or two for each row.
 */
export const isServed = (accountId: string) => `coalesce(
      (select status from owners where id = ${accountId}),
      (select status from platforms where id = ${accountId})) is distinct from 'suspended'`
