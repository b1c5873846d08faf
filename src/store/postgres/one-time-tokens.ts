import type { OneTimeToken, OneTimeTokenKey } from '../one-time-tokens.ts'
import { rowStore } from './row-store.ts'
import { tableOf } from './table.ts'

const ONE_TIME_TOKENS = tableOf<OneTimeToken>('one_time_tokens', {
  hash: 'hash',
  purpose: 'purpose',
  memberId: 'member_id',
  isMailed: 'is_mailed',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
})

export const oneTimeTokenStore = rowStore<OneTimeToken, OneTimeTokenKey>(ONE_TIME_TOKENS, {})
