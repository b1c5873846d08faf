import type { CallerOf } from '../domain/caller.ts'
import { forbidden, notFound } from '../domain/error.ts'
import { testIdOf } from '../domain/mode.ts'
import type { Role } from '../domain/permission.ts'
import type { MemberRow, Store } from '../store/store.ts'
import { deleteMailsTo, type WebhookSources } from '../webhooks/webhooks.ts'

/** The member with this id, if it is one of the caller's account. */
export async function ownMember(
  store: Store,
  { ownerId }: CallerOf<'owner'>,
  id: string,
): Promise<MemberRow> {
  const member = await store.members.find({ id })
  if (member?.ownerId !== ownerId) {
    throw notFound('member')
  }
  return member
}

/** Gives a member another role. The person who opened the account stays an admin. */
export async function setRole(within: Store, member: MemberRow, role: Role): Promise<MemberRow> {
  checkNotOwner(member)
  return (await within.members.update({ id: member.id }, { role })) ?? member
}

/**
 * Removes a member. The member's tokens end, and so do subscriptions that mail to the member; API keys belong to the
 * account and stay.
 */
export async function removeMember(
  within: Store,
  sources: WebhookSources,
  member: MemberRow,
): Promise<void> {
  checkNotOwner(member)
  // Locked, so that no subscription that mails to the member is created meanwhile.
  for (const id of [member.ownerId, testIdOf(member.ownerId)]) {
    await within.owners.find({ id }, { lock: 'wait' })
  }
  if (!(await within.members.delete({ id: member.id }))) {
    throw notFound('member')
  }
  await deleteMailsTo(within, sources, member)
}

function checkNotOwner({ id, ownerId }: MemberRow): void {
  if (id === ownerId) {
    throw forbidden('the person who opened the account stays its admin', {
      reason: 'account_owner',
    })
  }
}
