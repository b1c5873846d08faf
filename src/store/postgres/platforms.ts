import type { ServiceTier } from '../../domain/limits.ts'
import type { PlatformRow, PlatformStore } from '../platforms.ts'
import { expectRows, first, ID_MAX, isTest, locking, page } from './rows.ts'
import type { Session } from './session.ts'

export interface PlatformColumns {
  id: string
  name: string
  tier: ServiceTier
  status: 'active' | 'suspended'
  public_key: string | null
  previous_public_key: string | null
  previous_key_expires_at: number | null
  require_attestation: boolean
  verified: boolean
  owner_id: string | null
  created_at: number
  updated_at: number
}

const COLUMNS = [
  'id',
  'name',
  'tier',
  'status',
  'public_key',
  'previous_public_key',
  'previous_key_expires_at',
  'require_attestation',
  'verified',
  'owner_id',
  'created_at',
  'updated_at',
]

export function platformColumns(alias: string): string {
  return COLUMNS.map((column) => `${alias}.${column}`).join(', ')
}

const SELECT = `select ${platformColumns('p')} from platforms p`

export function platformStore({ sql, changed, statisticsWritten }: Session): PlatformStore {
  return {
    async insert(platform) {
      await sql(
        `insert into platforms (${COLUMNS})
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
        values(platform),
      )
    },
    async find(id, options) {
      const text = `${SELECT} where p.id = $1 ${locking(options)}`
      const row = first(await sql<PlatformColumns>(text, [id]))
      return row && toPlatform(row)
    },
    async list(mode, before, limit) {
      const rows = await sql<PlatformColumns>(
        `${SELECT} where p.id < coalesce($1::uuid, '${ID_MAX}') and ${isTest('p.id')} = $3
         order by p.id desc limit $2`,
        [before, limit + 1, mode === 'test'],
      )
      return page(rows.map(toPlatform), limit)
    },
    async idsOf(ownerId) {
      const rows = await sql<{ id: string }>(
        'select id from platforms where owner_id = $1 order by id',
        [ownerId],
      )
      return rows.map(({ id }) => id)
    },
    async counts() {
      await statisticsWritten()
      const [row] = await sql<{ active: number; verified: number; established: number }>(
        `select count(*)::int as active, (count(*) filter (where verified))::int as verified,
           (count(distinct coalesce(owner_id, id)) filter (where verified or coalesce(is_proven, false)))::int
             as established
         from platforms left join reporters on platform_id = id where status = 'active' and not ${isTest('id')}`,
      )
      return row ?? { active: 0, verified: 0, established: 0 }
    },
    async update(platform) {
      const rows = await sql(
        `update platforms set name = $2, tier = $3, status = $4, public_key = $5,
           previous_public_key = $6, previous_key_expires_at = $7, require_attestation = $8,
           verified = $9, owner_id = $10, created_at = $11, updated_at = $12 where id = $1 returning id`,
        values(platform),
      )
      expectRows('platform', rows.length, 1)
      await changed({ kind: 'callers', ids: [platform.id] })
    },
  }
}

function values(platform: PlatformRow): unknown[] {
  return [
    platform.id,
    platform.name,
    platform.tier,
    platform.status,
    platform.publicKey,
    platform.previousKey?.publicKey ?? null,
    platform.previousKey?.expiresAt ?? null,
    platform.requireAttestation,
    platform.verified,
    platform.ownerId,
    platform.createdAt,
    platform.updatedAt,
  ]
}

export function toPlatform(row: PlatformColumns): PlatformRow {
  return {
    id: row.id,
    name: row.name,
    tier: row.tier,
    status: row.status,
    publicKey: row.public_key,
    previousKey:
      row.previous_public_key !== null && row.previous_key_expires_at !== null
        ? { publicKey: row.previous_public_key, expiresAt: row.previous_key_expires_at }
        : null,
    requireAttestation: row.require_attestation,
    verified: row.verified,
    ownerId: row.owner_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
