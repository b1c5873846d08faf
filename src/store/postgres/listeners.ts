import { LISTENERS_MAX, type ListenerRow, type ListenerStore } from '../listeners.ts'
import type { ById } from '../rows.ts'
import { rowStore } from './row-store.ts'
import type { Session } from './session.ts'
import { tableOf } from './table.ts'

const LISTENERS = tableOf<ListenerRow>('listeners', {
  id: 'id',
  ownerId: 'owner_id',
  events: 'events',
  agentIds: 'agent_ids',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
})

const rowsIn = rowStore<ListenerRow, ById>(LISTENERS, {})

export function listenerStore(session: Session): ListenerStore {
  const { sql } = session
  return {
    ...rowsIn(session),
    async save({ id, ownerId, events, agentIds, createdAt, expiresAt }) {
      await sql(
        `delete from listeners where id in (
           select id from listeners where owner_id = $1 and id <> $2
           order by created_at desc offset $3)`,
        [ownerId, id, LISTENERS_MAX - 1],
      )
      const [saved] = await sql<{ is_new: boolean }>(
        `insert into listeners (${LISTENERS.columns}, transaction_id)
         values ($1, $2, $3, $4, $5, $6, pg_snapshot_xmin(pg_current_snapshot()))
         on conflict (id) do update set owner_id = excluded.owner_id, events = excluded.events,
           agent_ids = excluded.agent_ids, expires_at = excluded.expires_at
         returning xmax = 0 as is_new`,
        [id, ownerId, events, agentIds, createdAt, expiresAt],
      )
      return saved?.is_new ?? false
    },
  }
}
