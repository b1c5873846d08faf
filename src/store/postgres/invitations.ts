import type { InvitationKey, InvitationRow, InvitationStore } from '../invitations.ts'
import { rowStore } from './row-store.ts'
import { countOf } from './rows.ts'
import type { Session } from './session.ts'
import { tableOf } from './table.ts'

const INVITATIONS = tableOf<InvitationRow>('invitations', {
  id: 'id',
  ownerId: 'owner_id',
  role: 'role',
  email: 'email',
  tokenHash: 'token_hash',
  isMailed: 'is_mailed',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
})

const rowsIn = rowStore<InvitationRow, InvitationKey, string | null>(INVITATIONS, {
  list: { of: 'owner_id is not distinct from $1', order: 'id desc' },
})

export function invitationStore(session: Session): InvitationStore {
  return {
    ...rowsIn(session),
    count: ({ ownerId, at }) =>
      countOf(
        session.sql,
        `select (select count(*) from members where owner_id = $1) + (select count(*) from invitations
           where owner_id is not distinct from $1 and expires_at > $2) as count`,
        [ownerId, at],
      ),
  }
}
