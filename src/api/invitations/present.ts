import type { InvitationRow } from '../../store/store.ts'
import { time } from '../wire.ts'

export function presentInvitation(row: InvitationRow, now: number) {
  const { id, email, role, createdAt, expiresAt } = row
  const status = expiresAt > now ? 'open' : 'expired'
  return { id, email, role, status, createdAt: time(createdAt), expiresAt: time(expiresAt) }
}
