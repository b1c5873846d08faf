import { tokenHashOf } from '../auth/one-time-token.ts'
import type { PasswordContext } from '../auth/password-rules.ts'
import type { Origin } from '../auth/passwords.ts'
import type { Sources } from '../lib/sources.ts'
import type { AccountMember, MemberRow, Store } from '../store/store.ts'
import { useToken } from './links.ts'
import { memberOf } from './login.ts'
import { hashNewPassword, type NewPasswords } from './new-password.ts'
import { endUnprovenAccess } from './unproven-access.ts'

/** Sets a new password, which ends every token and every link issued before. */
export async function setPassword(
  within: Store,
  memberId: string,
  passwordHash: string,
): Promise<AccountMember> {
  await within.members.update({ id: memberId }, { passwordHash })
  await within.oneTimeTokens.deleteAll({ memberId })
  return memberOf(within, memberId)
}

/**
 * Checks a new password that is set by the link of a mail or of the operator, and hashes it, before the
 * transaction that sets it.
 */
export async function preparePasswordReset(
  deps: NewPasswords & Sources & { readonly store: Store },
  { token, newPassword }: { readonly token: string; readonly newPassword: string },
  from: Origin,
): Promise<(within: Store) => Promise<AccountMember>> {
  const person = await personOfLink(deps.store, token)
  const wanted = { password: newPassword, field: 'newPassword', person } as const
  const passwordHash = await hashNewPassword(deps, wanted, from)
  return (within) => resetPassword(within, deps, token, passwordHash)
}

/** The person that a link to a new password is for, without using the link; nulls if it has expired. */
async function personOfLink(store: Store, token: string): Promise<PasswordContext> {
  const found = await store.oneTimeTokens.find({ hash: tokenHashOf(token) })
  const member = found && (await store.members.find({ id: found.memberId }))
  return member ?? { email: null, name: null }
}

/**
 * The link of a mail proves the address; that of the operator does not. Whom the provider knew is forgotten: the next
 * sign-in there is linked by the e-mail again. Where the address of the account was never proven before, a stranger may
 * have opened it: then what was set up for others ends too.
 */
async function resetPassword(
  within: Store,
  sources: Sources,
  token: string,
  passwordHash: string,
): Promise<AccountMember> {
  await lockUnproven(within, token)
  const { member, isMailed } = await useToken(within, sources, 'password_reset', token)
  if (isMailed) {
    await (isUnproven(member) && endUnprovenAccess(within, sources, member.ownerId))
    await confirmAddress(within, sources, member)
  }
  await within.oidcIdentities.deleteAll({ memberId: member.id })
  return setPassword(within, member.id, passwordHash)
}

/** Whether the person opened the account, and never confirmed its address. */
function isUnproven({ id, ownerId, emailConfirmedAt }: MemberRow): boolean {
  return id === ownerId && emailConfirmedAt === null
}

/**
 * Locks the account before the person, as everywhere, where access of others is to end. Any other new password waits
 * for the person alone.
 */
async function lockUnproven(within: Store, token: string): Promise<void> {
  const found = await within.oneTimeTokens.find({ hash: tokenHashOf(token) })
  const member = found?.isMailed ? await within.members.find({ id: found.memberId }) : null
  await (member &&
    isUnproven(member) &&
    within.owners.find({ id: member.ownerId }, { lock: 'wait' }))
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
  return (await within.members.update({ id: member.id }, { emailConfirmedAt: now() })) ?? member
}
