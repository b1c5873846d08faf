import type { Identifier } from '../../domain/identifier.ts'
import type { IdentifierKey, IdentifierStore, NamesOf, VerifiedName } from '../identifiers.ts'
import type { FindOptions } from '../types.ts'
import { rowStore } from './row-store.ts'
import { isTest, locking } from './rows.ts'
import type { Session } from './session.ts'
import { json, nested, readerOf, tableOf } from './table.ts'

const IDENTIFIERS = tableOf<Identifier>('identifiers', {
  id: 'id',
  agentId: 'agent_id',
  type: 'type',
  value: 'value',
  status: 'status',
  challenge: 'challenge',
  proof: nested({ method: 'proof_method', keyId: 'proof_key' }),
  problem: json('problem'),
  failingSince: 'failing_since',
  createdAt: 'created_at',
  verifiedAt: 'verified_at',
  checkedAt: 'checked_at',
  nextCheckAt: 'next_check_at',
})

const OF_TEST = isTest('agent_id')

const changeOf = ({ value }: Identifier) => ({ kind: 'identifiers', ids: [value] }) as const

const rowsIn = rowStore<Identifier, IdentifierKey, NamesOf>(IDENTIFIERS, {
  list: {
    of: 'agent_id = $1 and ($2::text is null or status = $2)',
    values: ({ agentId, status = null }) => [agentId, status],
    order: 'id desc',
  },
  change: changeOf,
})

export function identifierStore(session: Session): IdentifierStore {
  const { sql, changed } = session
  const { one, all } = readerOf(sql, IDENTIFIERS)
  const rows = rowsIn(session)
  return {
    ...rows,
    async insert(identifier) {
      const isNew = await rows.insert(identifier)
      await changed(changeOf(identifier))
      return isNew
    },
    async find(by: IdentifierKey | VerifiedName, options?: FindOptions) {
      if (!('verified' in by)) {
        return rows.find(by, options)
      }
      return one(
        `select ${IDENTIFIERS.columns} from identifiers
         where value = $1 and status = 'verified' and ${OF_TEST} = $2 ${locking(options)}`,
        [by.verified, by.mode === 'test'],
      )
    },
    async holders(values, mode) {
      const rows = await sql<{ value: string; holder: string | null }>(
        `select value, min(agent_id::text) filter (where status = 'verified') as holder
         from identifiers where value = any($1::text[]) and ${OF_TEST} = $2 group by value`,
        [values, mode === 'test'],
      )
      return new Map(rows.map(({ value, holder }) => [value, holder]))
    },
    claimDue: (now, until, limit) =>
      all(
        `update identifiers set next_check_at = $2 where (agent_id, id) in (
           select agent_id, id from identifiers where status = 'verified' and next_check_at <= $1
           order by next_check_at limit $3 for update skip locked)
         returning ${IDENTIFIERS.columns}`,
        [now, until, limit],
      ),
  }
}
