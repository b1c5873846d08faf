import type { Snapshot } from '../../domain/snapshot.ts'
import { DAY_MS } from '../../domain/time.ts'
import type { SnapshotStore } from '../snapshots.ts'
import { rowStore } from './row-store.ts'
import { first, writeRows } from './rows.ts'
import type { Session } from './session.ts'
import { listSnapshots, snapshotsWithin } from './snapshot-lists.ts'
import { SNAPSHOTS, snapshotRows } from './snapshot-rows.ts'
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

const rowsIn = rowStore<Snapshot, Pick<Snapshot, 'agentId' | 'id'>>(SNAPSHOTS, {})

export function snapshotStore(session: Session): SnapshotStore {
  const { sql, lists, lagging } = session
  return {
    list: (of, before, limit) => listSnapshots(of.isCurrent ? lists : lagging, of, before, limit),
    within: (agentIds, from, to) => snapshotsWithin(lists, agentIds, from, to),
    find: rowsIn(session).find,
    async lastBefore(agentId, seq) {
      const row = first(
        await sql<{ number: number }>(
          `select number from snapshots where agent_id = $1 and seq < $2
           order by number desc limit 1`,
          [agentId, seq],
        ),
      )
      return row?.number ?? 0
    },
    insertAll: (snapshots) => insertSnapshots(sql, snapshots),
    async thin(agentId, after, { daysBefore, weeksBefore, lowScore, lowSince }) {
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
    async thinnedUntil(agentId) {
      const rows = await sql<{ number: number }>(
        'select number from thinned_snapshots where agent_id = $1',
        [agentId],
      )
      return first(rows)?.number ?? 0
    },
    async replaceFrom(agentId, number, by) {
      await sql('delete from snapshots where agent_id = $1 and number >= $2', [agentId, number])
      await sql('update thinned_snapshots set number = least(number, $2) where agent_id = $1', [
        agentId,
        number - 1,
      ])
      await insertSnapshots(sql, by)
    },
  }
}

function insertSnapshots(sql: Sql, snapshots: readonly Snapshot[]): Promise<void> {
  return writeRows(sql, 'snapshots', snapshotRows(snapshots))
}
