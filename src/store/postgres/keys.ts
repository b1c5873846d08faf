import type { AgentStatus } from '../../domain/agent.ts'
import type { ServiceTier } from '../../domain/limits.ts'
import type { Scope } from '../../domain/permission.ts'
import { groupBy } from '../../lib/group-by.ts'
import type { KeyHolder, KeyKind, KeyRow, KeyStore, UsedKind } from '../keys.ts'
import type { OwnerStatus } from '../owners.ts'
import { PLATFORMS } from './platforms.ts'
import { rowStore } from './row-store.ts'
import { columns } from './rows.ts'
import type { Session } from './session.ts'
import type { Sql } from './sql.ts'
import { type Answer, readerOf, tableOf } from './table.ts'

/** With the columns of a platform. */
interface Row extends Answer {
  /** Null where there is no such key. */
  kind: KeyKind | null
  principal_id: string
  expires_at: number | null
  account_id: string
  account_status: OwnerStatus
  account_tier: ServiceTier
  agent_status: AgentStatus
  scopes: Scope[]
}

const PLATFORM = PLATFORMS.columnsOf('p')

const KEYS = tableOf<KeyRow>('api_keys', {
  hash: 'hash',
  kind: 'kind',
  principalId: 'principal_id',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  lastUsedAt: 'last_used_at',
})

const rowsIn = rowStore<KeyRow, Pick<KeyRow, 'hash'>>(KEYS, {
  savedBy: ['hash'],
  kept: ['last_used_at'],
  change: ({ principalId }) => ({ kind: 'callers', ids: [principalId] }),
})

export function keyStore(session: Session): KeyStore {
  const { sql, shards, changed } = session
  return {
    ...rowsIn(session),
    async holders(hashes) {
      const rows = shards === null ? await sql<Row>(FIND, [hashes]) : await findSharded(sql, hashes)
      return rows.map((row) => (row.kind === null ? null : toHolder({ ...row, kind: row.kind })))
    },
    async findMany(principalIds) {
      const rows = await readerOf(sql, KEYS).all(
        `select ${KEYS.columns} from api_keys
         where principal_id = any($1::uuid[]) order by created_at desc, expires_at desc`,
        [principalIds],
      )
      return groupBy(rows, ({ principalId }) => principalId)
    },
    async expire(principalId, at) {
      await sql(
        // A key that expires sooner is not written: a rotation writes only what it changes. Locked in their order, as
        // their use is recorded.
        `with later as (
           select hash from api_keys
           where principal_id = $1 and (expires_at is null or expires_at > $2)
           order by hash for no key update)
         update api_keys k set expires_at = $2 from later l where k.hash = l.hash`,
        [principalId, at],
      )
      await changed({ kind: 'callers', ids: [principalId] })
    },
    async deleteAll({ principalId }) {
      await sql(
        `with ended as (
           select hash from api_keys where principal_id = $1 order by hash for update)
         delete from api_keys k using ended e where k.hash = e.hash`,
        [principalId],
      )
      await changed({ kind: 'callers', ids: [principalId] })
    },
    async recordUse(kind, uses) {
      const { table, key, type, valueFor } = USED[kind]
      await sql(
        // Locked in their order: other nodes record the use of the same keys.
        `with uses as (
           select ${key}, at from ${table} used
           join unnest($1::${type}[], $2::bigint[]) as u(${key}, at) using (${key})
           where last_used_at is null or last_used_at < at
           order by ${key} for no key update of used)
         update ${table} used set last_used_at = u.at from uses u where used.${key} = u.${key}`,
        columns(
          [...uses],
          ([id]) => valueFor(id),
          ([, at]) => at,
        ),
      )
    },
  }
}

/** The holders of keys. `agents` is a query for the `id`, the `owner_id` and the `status` of agents. */
const findText = (agents: string) =>
  `select k.kind, k.principal_id, k.expires_at,
     o.id as account_id, o.status as account_status, o.tier as account_tier,
     a.status as agent_status, w.scopes,
     ${PLATFORM}
   from unnest($1::bytea[]) with ordinality as wanted(hash, position)
   left join api_keys k on k.hash = wanted.hash
   left join (${agents}) a on k.kind = 'agent' and a.id = k.principal_id
   left join owner_keys w on k.kind = 'owner' and w.id = k.principal_id
   left join owners o on o.id = coalesce(a.owner_id, w.owner_id)
   left join platforms p on k.kind = 'platform' and p.id = k.principal_id
   order by wanted.position`

const FIND = findText('select agent_id as id, owner_id, status from agent_states')

/** From tables of the coordinator alone. The status is only in the state of an agent. */
const FIND_LOCAL = findText('select id, owner_id, null as status from agents')

/** In a join with tables of the coordinator, Citus would read the states of all agents, and all keys. */
async function findSharded(sql: Sql, hashes: readonly Uint8Array[]): Promise<readonly Row[]> {
  const rows = await sql<Row>(FIND_LOCAL, [hashes])
  const ids = rows.filter(({ kind }) => kind === 'agent').map((row) => row.principal_id)
  if (ids.length === 0) {
    return rows
  }
  const states = await sql<{ agent_id: string; status: AgentStatus }>(
    'select agent_id, status from agent_states where agent_id = any($1::uuid[])',
    [ids],
  )
  const statuses = new Map(states.map(({ agent_id, status }) => [agent_id, status]))
  return rows.map((row) => ({
    ...row,
    agent_status: statuses.get(row.principal_id) ?? row.agent_status,
  }))
}

/** Where the time of its last use is. */
interface UsedTable {
  readonly table: string
  readonly key: string
  readonly type: 'uuid' | 'bytea'
  readonly valueFor: (id: string) => string | Uint8Array
}

const BY_ID = { key: 'id', type: 'uuid', valueFor: (id: string) => id } as const

const USED: Readonly<Record<UsedKind, UsedTable>> = {
  key: {
    table: 'api_keys',
    key: 'hash',
    type: 'bytea',
    valueFor: (hash) => Buffer.from(hash, 'base64'),
  },
  operator: { table: 'operators', ...BY_ID },
  owner: { table: 'owner_keys', ...BY_ID },
  session: { table: 'sessions', ...BY_ID },
}

function toHolder(row: Row & { readonly kind: KeyKind }): KeyHolder {
  const expiresAt = row.expires_at
  switch (row.kind) {
    case 'agent':
      return {
        kind: 'agent',
        agentId: row.principal_id,
        ownerId: row.account_id,
        ownerStatus: row.account_status,
        tier: row.account_tier,
        status: row.agent_status,
        expiresAt,
      }
    case 'owner':
      return {
        kind: 'owner',
        keyId: row.principal_id,
        ownerId: row.account_id,
        ownerStatus: row.account_status,
        tier: row.account_tier,
        scopes: row.scopes,
        expiresAt,
      }
    case 'platform':
      return { kind: 'platform', platform: PLATFORMS.read(row), expiresAt }
    case 'operator':
      return { kind: 'operator', operatorId: row.principal_id, expiresAt }
  }
}
