import type { AccountMember, OwnerRow } from '../../store/store.ts'
import { time } from '../wire.ts'

function presentOwner({ id, email, name, tier, createdAt }: OwnerRow) {
  return { id, email, name, tier, createdAt: time(createdAt) }
}

export function presentManagedOwner(owner: OwnerRow) {
  return { ...presentOwner(owner), status: owner.status }
}

export function presentSession(
  { owner }: AccountMember,
  session: { readonly token: string; readonly expiresAt: number },
) {
  return {
    owner: presentOwner(owner),
    token: session.token,
    expiresAt: time(session.expiresAt),
  }
}
