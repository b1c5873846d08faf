import type { Erasure, ErasureStore } from '../erasures.ts'
import { eraseAccount, eraseAgent } from './erase-account.ts'
import { rowStore } from './row-store.ts'
import { countOf, first } from './rows.ts'
import type { Session } from './session.ts'
import type { Sql } from './sql.ts'
import { tableOf } from './table.ts'

const ERASURES = tableOf<Erasure>('erasures', {
  subjectId: 'subject_id',
  kind: 'kind',
  ownerId: 'owner_id',
  relatedIds: 'related_ids',
  createdAt: 'created_at',
  finishedAt: 'finished_at',
})

const rowsIn = rowStore<Erasure, Pick<Erasure, 'subjectId'>>(ERASURES, {
  waits: { id: 'subject_id', where: 'finished_at is null', order: 'created_at' },
})

export function erasureStore(session: Session): ErasureStore {
  const { sql, changed } = session
  return {
    ...rowsIn(session),
    eraseAccount: (ownerId, now) => eraseAccount(session, ownerId, now),
    async nextAgent(ownerId) {
      const rows = await sql<{ id: string }>(
        `select id from agents where owner_id = $1 and erased_at is null order by id limit 1`,
        [ownerId],
      )
      return first(rows)?.id ?? null
    },
    eraseAgent: (agentId, now) => eraseAgent(session, agentId, now),
    async eraseNotifications(of, limit) {
      const [column, id] = 'agentId' in of ? ['agent_id', of.agentId] : ['owner_id', of.ownerId]
      const count = await countOf(
        sql,
        `with part as (
           select seq, owner_id from notifications where ${column} = $1 limit $2
         ), undelivered as (
           delete from deliveries d using webhooks w, part
           where w.owner_id = part.owner_id and d.webhook_id = w.id and d.notification_seq = part.seq
         ), deleted as (
           delete from notifications n using part where n.seq = part.seq returning 1
         )
         select count(*)::int as count from deleted`,
        [id, limit],
      )
      // A node may have them in memory, with the name of the agent.
      if (count > 0 && 'agentId' in of) {
        await changed({ kind: 'deliveries', ids: [of.agentId] })
      }
      return count
    },
    async eraseAudit({ ids, agentIds }, after, limit) {
      const events = await eventsNamed(sql, agentIds, after, limit)
      await sql(
        `update audit a set details = '{}', salt = null,
           actor_id = case when actor_kind = 'anonymous' then null else actor_id end
         where number > $1 and number <= $1 + $2 and salt is not null
           and (actor_id = any($3) or target_id = any($3)
           or (target_kind = 'event' and target_id = any($5))
           or (target_kind = 'credential' and exists (
             select from credentials c
             where c.id = a.target_id::uuid and c.agent_id = any($4::uuid[]))))`,
        [after, limit, [...ids, ...agentIds], agentIds, events],
      )
      const rows = await sql<{ last: number }>('select coalesce(max(number), 0) as last from audit')
      return (first(rows)?.last ?? 0) > after + limit ? after + limit : null
    },
  }
}

/** The events of these agents that are named by so many entries of the audit log. */
async function eventsNamed(
  sql: Sql,
  agentIds: readonly string[],
  after: number,
  limit: number,
): Promise<readonly string[]> {
  const entries = await sql<{ id: string }>(
    `select distinct target_id as id from audit
     where number > $1 and number <= $1 + $2 and salt is not null and target_kind = 'event'`,
    [after, limit],
  )
  const named = [entries.map(({ id }) => id), agentIds]
  // Apart from the audit log: on a cluster events lie on other servers.
  const [stored, archived] = await Promise.all([
    sql<{ id: string }>(
      'select id from events where id = any($1::uuid[]) and agent_id = any($2::uuid[])',
      named,
    ),
    sql<{ id: string }>(
      `select unnest(reviewed_ids) as id from archived_events
       where reviewed_ids && $1::uuid[] and agent_id = any($2::uuid[])`,
      named,
    ),
  ])
  return [...stored, ...archived].map(({ id }) => id)
}
