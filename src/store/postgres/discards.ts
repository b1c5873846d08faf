import { groupBy } from '../../lib/group-by.ts'
import { DISCARDS_READ, type Discard, type DiscardKey, type DiscardStore } from '../discards.ts'
import { rowStore } from './row-store.ts'
import type { Session } from './session.ts'
import { readerOf, tableOf } from './table.ts'

const DISCARDS = tableOf<Discard>('discards', {
  platformId: 'platform_id',
  platformOwnerId: 'platform_owner_id',
  reason: 'reason',
  requestedAt: 'requested_at',
  agentsInAll: 'agents_in_all',
  afterAgentId: 'after_agent_id',
  agentsPassed: 'agents_passed',
  agents: 'agents',
  leftAgentIds: 'left_agent_ids',
  finishedAt: 'finished_at',
})

const SELECT = `select ${DISCARDS.columns} from discards`

const rowsIn = rowStore<Discard, DiscardKey>(DISCARDS, {
  waits: { id: 'platform_id', where: 'finished_at is null', order: 'requested_at' },
})

export function discardStore(session: Session): DiscardStore {
  const { one, all } = readerOf(session.sql, DISCARDS)
  return {
    ...rowsIn(session),
    async findMany(platformIds) {
      const rows = await all(
        `select ${DISCARDS.columns} from (
           select *, row_number() over (partition by platform_id order by requested_at desc) as place
           from discards where platform_id = any($1::uuid[])) latest
         where place <= $2 order by requested_at desc`,
        [platformIds, DISCARDS_READ],
      )
      return groupBy(rows, ({ platformId }) => platformId)
    },
    latestOf: (voter) =>
      one(
        `${SELECT} where platform_id = $1 or platform_owner_id = $1 order by requested_at desc limit 1`,
        [voter],
      ),
  }
}
