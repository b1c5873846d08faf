import type { Mode } from '../../domain/mode.ts'
import type { PlatformRow, PlatformStore } from '../platforms.ts'
import type { ById } from '../rows.ts'
import { insertPlatformHours } from './platform-hours.ts'
import { rowStore } from './row-store.ts'
import { isTest } from './rows.ts'
import type { Session } from './session.ts'
import { nested, tableOf } from './table.ts'
import { requeueDeliveries } from './webhooks.ts'

export const PLATFORMS = tableOf<PlatformRow>('platforms', {
  id: 'id',
  name: 'name',
  tier: 'tier',
  status: 'status',
  publicKey: 'public_key',
  previousKey: nested({ publicKey: 'previous_public_key', expiresAt: 'previous_key_expires_at' }),
  requireAttestation: 'require_attestation',
  verified: 'verified',
  ownerId: 'owner_id',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
})

const rowsIn = rowStore<PlatformRow, ById, Mode>(PLATFORMS, {
  order: 'id',
  list: {
    of: `${isTest('id')} = $1`,
    values: (mode) => [mode === 'test'],
    order: 'id desc',
  },
  change: ({ id }) => ({ kind: 'callers', ids: [id] }),
})

export function platformStore(session: Session): PlatformStore {
  const { sql, statisticsWritten } = session
  const rows = rowsIn(session)
  return {
    ...rows,
    async insert(platform) {
      const isNew = await rows.insert(platform)
      // Reports lock it before the statistics. One that had to insert it first would lock it after them.
      await insertPlatformHours(sql, [platform.id])
      return isNew
    },
    async update(by, given) {
      const platform = await rows.update(by, given)
      await (given.status !== undefined && requeueDeliveries(session, by.id))
      return platform
    },
    async count() {
      await statisticsWritten()
      const [row] = await sql<{ active: number; verified: number; established: number }>(
        `select count(*)::int as active, (count(*) filter (where verified))::int as verified,
           (count(distinct coalesce(owner_id, id)) filter (
             where (verified or coalesce(is_proven, false)) and not coalesce(only_problems, false)))::int as established
         from platforms left join reporters on platform_id = id where status = 'active' and not ${isTest('id')}`,
      )
      return row ?? { active: 0, verified: 0, established: 0 }
    },
  }
}
