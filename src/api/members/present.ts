import type { MemberRow } from '../../store/store.ts'
import { time } from '../wire.ts'

export function presentMember(member: MemberRow) {
  const { id, ownerId, email, name, role, emailConfirmedAt, createdAt } = member
  return {
    id,
    email,
    name,
    role,
    isOwner: id === ownerId,
    emailConfirmed: emailConfirmedAt !== null,
    createdAt: time(createdAt),
  }
}
