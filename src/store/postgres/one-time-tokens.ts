import type { OneTimeToken, OneTimeTokenKey, OneTimeTokenStore } from '../one-time-tokens.ts'
import { rowStore } from './row-store.ts'
import type { Session } from './session.ts'
import { tableOf } from './table.ts'

const ONE_TIME_TOKENS = tableOf<OneTimeToken>('one_time_tokens', {
  hash: 'hash',
  purpose: 'purpose',
  memberId: 'member_id',
  isMailed: 'is_mailed',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
})

const rowsIn = rowStore<OneTimeToken, OneTimeTokenKey>(ONE_TIME_TOKENS, {})

export function oneTimeTokenStore(session: Session): OneTimeTokenStore {
  return {
    ...rowsIn(session),
    async deleteOf(memberId, purpose) {
      await session.sql(
        `delete from one_time_tokens where member_id = $1 and ($2::text is null or purpose = $2)`,
        [memberId, purpose ?? null],
      )
    },
  }
}
