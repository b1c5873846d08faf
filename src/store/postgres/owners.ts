import type { Mode } from '../../domain/mode.ts'
import type { OwnerRow } from '../owners.ts'
import type { ById } from '../rows.ts'
import { rowStore } from './row-store.ts'
import { isTest } from './rows.ts'
import { tableOf } from './table.ts'

const OWNERS = tableOf<OwnerRow>('owners', {
  id: 'id',
  email: 'email',
  name: 'name',
  tier: 'tier',
  status: 'status',
  createdAt: 'created_at',
})

export const ownerStore = rowStore<OwnerRow, ById, Mode>(OWNERS, {
  expectsDuplicates: true,
  list: {
    of: `${isTest('id')} = $1`,
    values: (mode) => [mode === 'test'],
    order: 'id desc',
  },
  change: ({ id }) => ({ kind: 'callers', ids: [id] }),
})
