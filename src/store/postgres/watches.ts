import type { WatchKey, WatchRow, WatchStore } from '../watches.ts'
import { rowStore } from './row-store.ts'
import { first } from './rows.ts'
import type { Session } from './session.ts'
import { tableOf } from './table.ts'

const WATCHES = tableOf<WatchRow>('watches', {
  agentId: 'agent_id',
  holderId: 'holder_id',
  createdAt: 'created_at',
})

const rowsIn = rowStore<WatchRow, WatchKey, string>(WATCHES, {
  unique: '(agent_id, holder_id)',
  list: { of: 'holder_id = $1', order: 'agent_id' },
})

export function watchStore(session: Session): WatchStore {
  const { sql } = session
  return {
    ...rowsIn(session),
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
