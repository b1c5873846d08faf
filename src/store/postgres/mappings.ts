import { createHash } from 'node:crypto'
import type { Mapping } from '../../domain/mapping.ts'
import type { MappingRow, MappingStore, SignatureScheme } from '../mappings.ts'
import { first, page } from './rows.ts'
import type { Sql } from './sql.ts'

interface Row {
  platform_id: string
  name: string
  mapping: Mapping
  sample: unknown
  signature_scheme: SignatureScheme | null
  sealed_secret: Buffer | null
  created_at: number
  updated_at: number
}

const SELECT = `select platform_id, name, mapping, sample, signature_scheme, sealed_secret, created_at,
  updated_at from mappings where platform_id = $1`

export function mappingStore(sql: Sql): MappingStore {
  return {
    async find(platformId, name) {
      const row = first(await sql<Row>(`${SELECT} and name = $2`, [platformId, name]))
      return row && toMapping(row)
    },
    async list(platformId, after, limit) {
      const rows = await sql<Row>(
        `${SELECT} and ($2::text is null or name > $2) order by name limit $3`,
        [platformId, after, limit + 1],
      )
      return page(rows.map(toMapping), limit)
    },
    async save({ platformId, name, mapping, sample, signature, createdAt, updatedAt }) {
      const rows = await sql<{ is_new: boolean }>(
        `insert into mappings (platform_id, name, mapping, sample, signature_scheme, sealed_secret,
           created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (platform_id, name) do update set mapping = $3, sample = $4,
           signature_scheme = $5, sealed_secret = $6, updated_at = $8
         returning xmax = 0 as is_new`,
        [
          platformId,
          name,
          JSON.stringify(mapping),
          JSON.stringify(sample),
          signature?.scheme ?? null,
          signature?.sealedSecret ?? null,
          createdAt,
          updatedAt,
        ],
      )
      return rows[0]?.is_new ?? false
    },
    async delete(platformId, name) {
      const named = [platformId, name]
      await sql('delete from remembered_agents where platform_id = $1 and mapping = $2', named)
      const text = 'delete from mappings where platform_id = $1 and name = $2 returning name'
      return (await sql(text, named)).length > 0
    },
    async remember({ platformId, name, values, agentId, expiresAt }) {
      await sql(
        `insert into remembered_agents (platform_id, mapping, value, agent_id, expires_at)
         select $1, $2, unnest($3::bytea[]), $4, $5
         on conflict (platform_id, mapping, value) do update set agent_id = $4, expires_at = $5`,
        [platformId, name, [...new Set(values)].map(hashOf), agentId, expiresAt],
      )
    },
    async recall({ platformId, name, values }) {
      const rows = await sql<{ value: Buffer; agent_id: string }>(
        `select value, agent_id from remembered_agents
         where platform_id = $1 and mapping = $2 and value = any($3::bytea[])`,
        [platformId, name, values.map(hashOf)],
      )
      const agents = new Map(rows.map((row) => [row.value.toString('hex'), row.agent_id]))
      return new Map(
        values.flatMap((value) => {
          const agentId = agents.get(hashOf(value).toString('hex'))
          return agentId === undefined ? [] : [[value, agentId]]
        }),
      )
    },
  }
}

/** A value may name a person; to find it again its hash is enough. */
function hashOf(value: string): Buffer {
  return createHash('sha256').update(value).digest()
}

function toMapping(row: Row): MappingRow {
  const { signature_scheme: scheme, sealed_secret: sealedSecret } = row
  return {
    platformId: row.platform_id,
    name: row.name,
    mapping: row.mapping,
    sample: row.sample,
    signature: scheme && sealedSecret ? { scheme, sealedSecret } : null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
