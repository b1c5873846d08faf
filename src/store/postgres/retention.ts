import { DAY_MS } from '../../domain/time.ts'
import type { RetentionStore } from '../retention.ts'
import { CHAIN_LOCK } from './audit.ts'
import { EVENT, type EventColumns, toEvent } from './event-columns.ts'
import { deleteExternalIds } from './external-ids.ts'
import { columns, expectRows, first, NUMBER_MAX } from './rows.ts'
import type { Sql } from './sql.ts'

/** Snapshots of one transaction: some tens of milliseconds. */
const THINNED_MAX = 2_000

/** Of the epoch, in UTC. The epoch began on a Thursday, and weeks begin on Mondays. */
function dayOf(time: string): string {
  return `(${time} / ${DAY_MS})`
}

function weekOf(time: string): string {
  return `((${time} / ${DAY_MS} + 3) / 7)`
}

export function retentionStore(sql: Sql): RetentionStore {
  return {
    async eventsWith(what, agentId, { after, before = NUMBER_MAX, limit }) {
      const rows = await sql<EventColumns>(
        `select ${EVENT} from events
         where agent_id = $1 and seq > $2 and created_at < $3
           and (salt is not null or external_id is not null
             or ($4 and (findings is not null or review is not null)))
         order by seq limit $5`,
        [agentId, after, before, what === 'all', limit],
      )
      return rows.map(toEvent)
    },
    async saveWithoutTexts(events) {
      if (events.length === 0) {
        return
      }
      await deleteExternalIds(sql, events)
      const written = await sql.written(
        `update events e set data = t.data, review = t.review, findings = t.findings, salt = null,
           external_id = null
         from unnest($1::uuid[], $2::bigint[], $3::json[], $4::json[], $5::json[])
           as t(agent_id, seq, data, review, findings)
         where e.agent_id = t.agent_id and e.seq = t.seq and e.agent_id = any($1::uuid[])`,
        columns(
          events,
          (e) => e.agentId,
          (e) => e.seq,
          (e) => JSON.stringify(e.data),
          (e) => e.review && JSON.stringify(e.review),
          (e) => (e.findings.length > 0 ? JSON.stringify(e.findings) : null),
        ),
      )
      expectRows('events without texts', written, events.length)
    },
    async thinSnapshots(agentId, after, { daysBefore, weeksBefore, lowScore, lowSince }) {
      const [part] = await sql<{ read: number; last: number | null; removed: number }>(
        `with aged as (
           select number, score, created_at, trigger ->> 'kind' as kind,
             lead(created_at) over (order by number) as next_at
           from (select * from snapshots where agent_id = $1 and number > $2 and created_at < $3
                 order by number limit ${THINNED_MAX}) as part
         ), removed as (
           delete from snapshots s using aged
           where s.agent_id = $1 and s.number = aged.number and aged.kind = 'event'
             and not (aged.score < $5 and aged.created_at >= $6)
             and case when aged.created_at < $4
               then ${weekOf('aged.created_at')} = ${weekOf('aged.next_at')}
               else ${dayOf('aged.created_at')} = ${dayOf('aged.next_at')} end
           returning s.number
         ), noted as (
           insert into thinned_snapshots (agent_id, number)
           select $1, max(number) from removed having count(*) > 0
           on conflict (agent_id) do update
             set number = greatest(thinned_snapshots.number, excluded.number)
         )
         select (select count(*)::int from aged) as read, (select max(number) from aged) as last,
           (select count(*)::int from removed) as removed`,
        [agentId, after, daysBefore, weeksBefore, lowScore, lowSince],
      )
      const { read = 0, last = null, removed = 0 } = part ?? {}
      // The last one is read again: whether it is the last of its day shows by the next.
      return { removed, next: last === null || read < THINNED_MAX ? null : last - 1 }
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
