import type { WatchRow, WatchStore } from '../watches.ts'
import { first, ID_MIN, page } from './rows.ts'
import type { Sql } from './sql.ts'

interface Row {
  agent_id: string
  holder_id: string
  created_at: number
}

const SELECT = 'select agent_id, holder_id, created_at from watches where holder_id = $1'

export function watchStore(sql: Sql): WatchStore {
  return {
    async insert({ agentId, holderId, createdAt }) {
      await sql(
        `insert into watches (agent_id, holder_id, created_at) values ($1, $2, $3)
         on conflict do nothing`,
        [agentId, holderId, createdAt],
      )
    },
    async list(holderId, after, limit) {
      const rows = await sql<Row>(
        `${SELECT} and agent_id > coalesce($2::uuid, '${ID_MIN}') order by agent_id limit $3`,
        [holderId, after, limit + 1],
      )
      return page(rows.map(toWatch), limit)
    },
    async find(holderId, agentIds) {
      const rows = await sql<Row>(`${SELECT} and agent_id = any($2)`, [holderId, agentIds])
      return new Map(rows.map((row) => [row.agent_id, toWatch(row)]))
    },
    async count(holderId, agentId) {
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
    async move(fromAgentId, toAgentId) {
      await sql('update watches set agent_id = $2 where agent_id = $1', [fromAgentId, toAgentId])
    },
    async delete(holderId, agentId) {
      const text = 'delete from watches where holder_id = $1 and agent_id = $2'
      return (await sql.written(text, [holderId, agentId])) > 0
    },
  }
}

function toWatch(row: Row): WatchRow {
  return { agentId: row.agent_id, holderId: row.holder_id, createdAt: row.created_at }
}
