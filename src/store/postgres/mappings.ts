import { createHash } from 'node:crypto'
import type { MappingKey, MappingRow, MappingStore } from '../mappings.ts'
import { rowStore } from './row-store.ts'
import type { Session } from './session.ts'
import { json, nested, tableOf } from './table.ts'

const MAPPINGS = tableOf<MappingRow>('mappings', {
  platformId: 'platform_id',
  name: 'name',
  mapping: json('mapping'),
  sample: json('sample'),
  signature: nested({ scheme: 'signature_scheme', sealedSecret: 'sealed_secret' }),
  createdAt: 'created_at',
  updatedAt: 'updated_at',
})

const rowsIn = rowStore<MappingRow, MappingKey, string>(MAPPINGS, {
  savedBy: ['platform_id', 'name'],
  list: { of: 'platform_id = $1', order: 'name' },
})

export function mappingStore(session: Session): MappingStore {
  const { sql } = session
  const rows = rowsIn(session)
  return {
    ...rows,
    async delete(by: MappingKey) {
      await sql('delete from remembered_agents where platform_id = $1 and mapping = $2', [
        by.platformId,
        by.name,
      ])
      return rows.delete(by)
    },
    async remember({ platformId, name, values, agentId, expiresAt }) {
      // In one order, so that two payloads with the same values do not deadlock.
      const hashes = [...new Set(values)].map(hashOf).sort(Buffer.compare)
      await sql(
        `insert into remembered_agents (platform_id, mapping, value, agent_id, expires_at)
         select $1, $2, unnest($3::bytea[]), $4, $5
         on conflict (platform_id, mapping, value) do update set agent_id = $4, expires_at = $5`,
        [platformId, name, hashes, agentId, expiresAt],
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
