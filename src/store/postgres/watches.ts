import type { WatchKey, WatchRow, WatchStore } from '../watches.ts'
import { rowStore } from './row-store.ts'
import { first, ID_MAX, NUMBER_MAX, page } from './rows.ts'
import type { Session } from './session.ts'
import { readerOf, tableOf } from './table.ts'

const WATCHES = tableOf<WatchRow>('watches', {
  agentId: 'agent_id',
  holderId: 'holder_id',
  createdAt: 'created_at',
})

const rowsIn = rowStore<WatchRow, WatchKey>(WATCHES, {
  expectsDuplicates: true,
})

const NEWEST = { createdAt: NUMBER_MAX, agentId: ID_MAX }

export function watchStore(session: Session): WatchStore {
  const { sql } = session
  const { all } = readerOf(sql, WATCHES)
  return {
    ...rowsIn(session),
    // A holder has so few that they are sorted without an index.
    async list(holderId, after, limit) {
      const { createdAt, agentId } = after ?? NEWEST
      const rows = await all(
        `select ${WATCHES.columns} from watches
         where holder_id = $1 and (created_at, agent_id) < ($2, $3::uuid)
         order by created_at desc, agent_id desc limit $4`,
        [holderId, createdAt, agentId, limit + 1],
      )
      return page(rows, limit)
    },
    async watched(holderId, agentIds) {
      const rows = await sql<{ agent_id: string }>(
        'select agent_id from watches where holder_id = $1 and agent_id = any($2)',
        [holderId, agentIds],
      )
      return new Set(rows.map((row) => row.agent_id))
    },
    async count({ holderId, agentId }) {
      const row = first(
        await sql<{ own: number; its: number; owners: number }>(
          `select (select count(*)::int from watches where holder_id = $1) as own,
             (select count(*)::int from watches where agent_id = $2) as its,
             (select count(*)::int from watches where agent_id = $2
                and holder_id not in (select id from platforms)) as owners`,
          [holderId, agentId],
        ),
      )
      return row ?? { own: 0, its: 0, owners: 0 }
    },
  }
}
