import type { AgentStatus } from '../../domain/agent.ts'
import type { ServiceTier } from '../../domain/limits.ts'
import type { Scope } from '../../domain/permission.ts'
import type { KeyHolder, KeyKind, KeyRow, KeyStore, UsedKind } from '../keys.ts'
import type { OwnerStatus } from '../owners.ts'
import { PLATFORMS } from './platforms.ts'
import { rowStore } from './row-store.ts'
import { columns } from './rows.ts'
import type { Session } from './session.ts'
import { type Answer, tableOf } from './table.ts'

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
})

const rowsIn = rowStore<KeyRow, Pick<KeyRow, 'hash'>>(KEYS, {
  savedBy: ['hash'],
  change: ({ principalId }) => ({ kind: 'callers', ids: [principalId] }),
})

export function keyStore(session: Session): KeyStore {
  const { sql, changed } = session
  return {
    ...rowsIn(session),
    async find(hashes) {
      const rows = await sql<Row>(
        `select k.kind, k.principal_id, k.expires_at,
           o.id as account_id, o.status as account_status, o.tier as account_tier,
           s.status as agent_status, w.scopes,
           ${PLATFORM}
         from unnest($1::bytea[]) with ordinality as wanted(hash, position)
         left join api_keys k on k.hash = wanted.hash
         left join agent_states s on k.kind = 'agent' and s.agent_id = k.principal_id
         left join owner_keys w on k.kind = 'owner' and w.id = k.principal_id
         left join owners o on o.id = coalesce(s.owner_id, w.owner_id)
         left join platforms p on k.kind = 'platform' and p.id = k.principal_id
         order by wanted.position`,
        [hashes],
      )
      return rows.map((row) => (row.kind === null ? null : toHolder({ ...row, kind: row.kind })))
    },
    async expire(principalId, at) {
      await sql(
        // A key that expires sooner is not written: a rotation writes only what it changes.
        `update api_keys set expires_at = $2
         where principal_id = $1 and (expires_at is null or expires_at > $2)`,
        [principalId, at],
      )
      await changed({ kind: 'callers', ids: [principalId] })
    },
    async recordUse(kind, uses) {
      const { table, column, isRecorded = 'true' } = USED[kind]
      await sql(
        // Locked in their order: other nodes record the use of the same keys.
        `with uses as (
           select id, at from ${table} used join unnest($1::uuid[], $2::bigint[]) as u(id, at) using (id)
           where (${column} is null or ${column} < at) and ${isRecorded}
           order by id for no key update of used)
         update ${table} used set ${column} = u.at from uses u where used.id = u.id`,
        columns(
          [...uses],
          ([id]) => id,
          ([, at]) => at,
        ),
      )
    },
  }
}

interface UsedColumn {
  readonly table: string
  readonly column: string
  /** Rows whose time is recorded; by default all. */
  readonly isRecorded?: string
}

/**
 * A node may still note a use when the agent has been erased already, or has another owner with a key of its own: what
 * the keys before did stays unknown to that one.
 */
const OF_AGENT_IN_USE = `erased_at is null and not exists (
  select from api_keys k where k.principal_id = used.id and k.expires_at is null and k.created_at > at)`

/** Where the time of each kind is. */
const USED: Readonly<Record<UsedKind, UsedColumn>> = {
  agent: { table: 'agents', column: 'key_last_used_at', isRecorded: OF_AGENT_IN_USE },
  operator: { table: 'operators', column: 'last_used_at' },
  owner: { table: 'owner_keys', column: 'last_used_at' },
  platform: { table: 'platforms', column: 'key_last_used_at' },
  session: { table: 'sessions', column: 'last_used_at' },
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
