import { PERMISSIONS_OF_ROLE } from '../../domain/permission.ts'
import type { AccountMember, OwnerRow } from '../../store/store.ts'
import { presentMember } from '../members/present.ts'
import { time } from '../wire.ts'

function presentOwner({ id, email, name, tier, createdAt }: OwnerRow) {
  return { id, email, name, tier, createdAt: time(createdAt) }
}

export function presentManagedOwner(owner: OwnerRow) {
  return { ...presentOwner(owner), status: owner.status }
}

export function presentSession(
  { owner, member }: AccountMember,
  session: { readonly token: string; readonly expiresAt: number },
) {
  return {
    owner: presentOwner(owner),
    member: presentMember(member),
    permissions: PERMISSIONS_OF_ROLE[member.role],
    token: session.token,
    expiresAt: time(session.expiresAt),
  }
}
