import type { Policy } from '../../domain/policy.ts'
import type { PolicyRow, PolicyStore } from '../policies.ts'
import { first, page } from './rows.ts'
import type { Session } from './session.ts'

interface Row {
  holder: string
  name: string
  policy: Policy
  created_at: number
  updated_at: number
}

const SELECT = 'select holder, name, policy, created_at, updated_at from policies where holder = $1'

export function policyStore({ sql, changed }: Session): PolicyStore {
  const publish = (holder: string) => changed({ kind: 'policies', ids: [holder] })
  return {
    async find(holder, name) {
      const row = first(await sql<Row>(`${SELECT} and name = $2`, [holder, name]))
      return row && toPolicy(row)
    },
    async list(holder, after, limit) {
      const rows = await sql<Row>(
        `${SELECT} and ($2::text is null or name > $2) order by name limit $3`,
        [holder, after, limit + 1],
      )
      return page(rows.map(toPolicy), limit)
    },
    async save({ holder, name, policy, createdAt, updatedAt }) {
      const rows = await sql<{ is_new: boolean }>(
        `insert into policies (holder, name, policy, created_at, updated_at)
         values ($1, $2, $3, $4, $5)
         on conflict (holder, name) do update set policy = $3, updated_at = $5
         returning xmax = 0 as is_new`,
        [holder, name, JSON.stringify(policy), createdAt, updatedAt],
      )
      await publish(holder)
      return rows[0]?.is_new ?? false
    },
    async delete(holder, name) {
      const rows = await sql(
        'delete from policies where holder = $1 and name = $2 returning name',
        [holder, name],
      )
      await publish(holder)
      return rows.length > 0
    },
  }
}

function toPolicy(row: Row): PolicyRow {
  const { holder, name, policy, created_at: createdAt, updated_at: updatedAt } = row
  return { holder, name, policy, createdAt, updatedAt }
}
