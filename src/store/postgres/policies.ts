import type { PolicyHolder, PolicyKey, PolicyRow } from '../policies.ts'
import { rowStore } from './row-store.ts'
import { json, tableOf } from './table.ts'

const POLICIES = tableOf<PolicyRow>('policies', {
  holder: 'holder',
  name: 'name',
  policy: json('policy'),
  createdAt: 'created_at',
  updatedAt: 'updated_at',
})

export const policyStore = rowStore<PolicyRow, PolicyKey, PolicyHolder>(POLICIES, {
  savedBy: ['holder', 'name'],
  list: { of: 'holder = $1', order: 'name' },
  change: ({ holder }) => ({ kind: 'policies', ids: [holder] }),
})
