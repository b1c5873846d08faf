import { audit } from '../audit/audit.ts'
import type { OidcPerson } from '../auth/oidc.ts'
import { suspendedAccount } from '../auth/suspended.ts'
import type { Caller } from '../domain/caller.ts'
import { forbidden, type TrustError } from '../domain/error.ts'
import type { Sources } from '../lib/sources.ts'
import type { RegistrationMode } from '../settings/table.ts'
import type { AccountMember, MemberRow, Store } from '../store/store.ts'
import { memberOf, targetOf } from './login.ts'
import { register } from './registration.ts'

export interface OidcLogin {
  readonly person: OidcPerson
  readonly mode: RegistrationMode
  /** The token of an invitation to accept. */
  readonly invitation: string | null
  readonly caller: Caller
}

/**
 * The member that a person of the provider is. The first sign-in is linked by the verified e-mail: to
 * the member who has confirmed the same, or to a new one.
 */
export async function logInByOidc(
  within: Store,
  sources: Sources,
  login: OidcLogin,
): Promise<AccountMember> {
  const { issuer, subject, email } = login.person
  const linked = await linkedMember(within, login.person)
  if (linked !== null) {
    return notSuspended(await memberOf(within, linked.id))
  }
  const known = await within.members.find({ email }, { lock: 'wait' })
  const member = known ? confirmed(known) : await newMember(within, sources, login)
  const { id: memberId } = member
  if (await within.oidcIdentities.find({ issuer, memberId })) {
    throw linkedBefore()
  }
  await within.oidcIdentities.insert({ issuer, subject, memberId, createdAt: sources.now() })
  await audit(within, sources, login.caller, {
    action: 'owner.oidc_linked',
    target: targetOf(member),
    details: { issuer },
  })
  return notSuspended(await memberOf(within, member.id))
}

/**
 * The member that this person is linked to, locked: a new password by a link ends the link to the provider, and what the
 * provider began. A sign-in at the same moment would otherwise outlive it.
 */
async function linkedMember(
  within: Store,
  { issuer, subject }: OidcPerson,
): Promise<MemberRow | null> {
  const before = await within.oidcIdentities.find({ issuer, subject })
  const member = before && (await within.members.find({ id: before.memberId }, { lock: 'wait' }))
  const linked = member && (await within.oidcIdentities.find({ issuer, subject }))
  return linked && member
}

/**
 * An address that was registered without being confirmed may belong to another person: linked to that
 * account, the person who owns the address would share it with a stranger.
 */
function confirmed(member: MemberRow): MemberRow {
  if (member.emailConfirmedAt === null) {
    throw forbidden(
      'you are not signed in: an account with your e-mail address exists, but the address is not ' +
        'confirmed. Sign in with its password and confirm the address, or ask for a new password',
      { reason: 'email_not_confirmed' },
    )
  }
  return member
}

/** The provider gave the address to another person, or names the same person by another id. It does not say which. */
function linkedBefore(): TrustError {
  return forbidden(
    'you are not signed in: the account with your e-mail address belongs to another person at the provider. ' +
      'If it is yours, set a new password by a link, and sign in again',
    { reason: 'linked_before' },
  )
}

async function newMember(
  within: Store,
  sources: Sources,
  { person, mode, invitation, caller }: OidcLogin,
): Promise<MemberRow> {
  const how = { mode, invitation: invitation ?? undefined }
  const { email, name } = person
  const { member } = await register(within, sources, how, { email, name, passwordHash: null })
  await audit(within, sources, caller, { action: 'owner.registered', target: targetOf(member) })
  const emailConfirmedAt = member.emailConfirmedAt ?? sources.now()
  return (await within.members.update({ id: member.id }, { emailConfirmedAt })) ?? member
}

function notSuspended(known: AccountMember): AccountMember {
  if (known.owner.status === 'suspended') {
    throw suspendedAccount()
  }
  return known
}
