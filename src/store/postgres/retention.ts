import type { RetentionStore } from '../retention.ts'
import { CHAIN_LOCK } from './audit.ts'
import { deleteExternalIds } from './external-ids.ts'
import { columns, expectRows, first } from './rows.ts'
import type { Sql } from './sql.ts'

export function retentionStore(sql: Sql): RetentionStore {
  return {
    async eventsWithText(agentId, after, before, limit) {
      const rows = await sql<{
        agent_id: string
        seq: number
        data: Record<string, unknown>
        salt: string | null
      }>(
        `select agent_id, seq, data, salt from events
         where agent_id = $1 and seq > $2 and created_at < $3
           and (salt is not null or external_id is not null)
         order by seq limit $4`,
        [agentId, after, before, limit],
      )
      return rows.map(({ agent_id, ...rest }) => ({ agentId: agent_id, ...rest }))
    },
    async saveWithoutText(events) {
      if (events.length === 0) {
        return
      }
      await deleteExternalIds(sql, events)
      const written = await sql.written(
        `update events e set data = t.data, salt = null, external_id = null
         from unnest($1::uuid[], $2::bigint[], $3::json[]) as t(agent_id, seq, data)
         where e.agent_id = t.agent_id and e.seq = t.seq`,
        columns(
          events,
          (e) => e.agentId,
          (e) => e.seq,
          (e) => JSON.stringify(e.data),
        ),
      )
      expectRows('events without text', written, events.length)
    },
    async auditBefore(before, limit) {
      await sql('select pg_advisory_xact_lock($1)', [CHAIN_LOCK])
      const rows = await sql<{ number: number; hash: Buffer }>(
        `with part as (
           select number, created_at from audit
           where number < (select max(number) from audit) order by number limit $2
         ), kept as (
           select min(number) as number from part where created_at >= $1
         )
         delete from audit a using part, kept
         where a.number = part.number and part.number < coalesce(kept.number, part.number + 1)
         returning a.number, a.hash`,
        [before, limit],
      )
      const last = first([...rows].sort((a, b) => b.number - a.number))
      const checkpoint = last && { number: last.number, hash: last.hash.toString('hex') }
      return { removed: rows.length, checkpoint }
    },
  }
}
