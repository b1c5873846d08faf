import type { Mode } from '../../domain/mode.ts'
import type { OwnerRow, OwnerStore } from '../owners.ts'
import type { ById } from '../rows.ts'
import { rowStore } from './row-store.ts'
import { isTest } from './rows.ts'
import type { Session } from './session.ts'
import { tableOf } from './table.ts'
import { requeueDeliveries } from './webhooks.ts'

const OWNERS = tableOf<OwnerRow>('owners', {
  id: 'id',
  email: 'email',
  name: 'name',
  tier: 'tier',
  status: 'status',
  createdAt: 'created_at',
})

const rowsIn = rowStore<OwnerRow, ById, Mode>(OWNERS, {
  expectsDuplicates: true,
  list: {
    of: `${isTest('id')} = $1`,
    values: (mode) => [mode === 'test'],
    order: 'id desc',
  },
  change: ({ id }) => ({ kind: 'callers', ids: [id] }),
})

export function ownerStore(session: Session): OwnerStore {
  const rows = rowsIn(session)
  return {
    ...rows,
    async update(by, given) {
      const owner = await rows.update(by, given)
      await (given.status !== undefined && requeueDeliveries(session, by.id))
      return owner
    },
  }
}
