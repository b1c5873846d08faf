import { tokenHashOf } from '../auth/one-time-token.ts'
import type { PasswordContext } from '../auth/password-rules.ts'
import type { Sources } from '../lib/sources.ts'
import type { AccountMember, MemberRow, Store } from '../store/store.ts'
import { useToken } from './links.ts'
import { loginRefused } from './owners.ts'

/** Sets a new password, which ends every token and every link issued before. */
export async function setPassword(
  within: Store,
  memberId: string,
  passwordHash: string,
): Promise<AccountMember> {
  await within.members.update(memberId, { passwordHash })
  await within.oneTimeTokens.deleteOf(memberId)
  const known = await within.members.findWithOwner(memberId)
  if (!known) {
    throw loginRefused()
  }
  return known
}

/** The person that a link to a new password is for, without using the link; nulls if it has expired. */
export async function personOfLink(store: Store, token: string): Promise<PasswordContext> {
  const found = await store.oneTimeTokens.find(tokenHashOf(token))
  const member = found && (await store.members.find({ id: found.memberId }))
  return member ?? { email: null, name: null }
}

/** Sets a new password by the link of a mail, which proves the address, or of the operator. */
export async function resetPassword(
  within: Store,
  sources: Sources,
  token: string,
  passwordHash: string,
): Promise<AccountMember> {
  const { member, isMailed } = await useToken(within, sources, 'password_reset', token)
  if (isMailed) {
    await confirmAddress(within, sources, member)
  }
  return setPassword(within, member.id, passwordHash)
}

/** Records that the person reads the mail of the address. */
export async function confirmEmail(
  within: Store,
  sources: Sources,
  token: string,
): Promise<MemberRow> {
  const { member } = await useToken(within, sources, 'email_confirmation', token)
  return confirmAddress(within, sources, member)
}

async function confirmAddress(
  within: Store,
  { now }: Sources,
  member: MemberRow,
): Promise<MemberRow> {
  if (member.emailConfirmedAt !== null) {
    return member
  }
  return (await within.members.update(member.id, { emailConfirmedAt: now() })) ?? member
}
