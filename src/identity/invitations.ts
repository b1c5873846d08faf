import { newToken, tokenHashOf } from '../auth/one-time-token.ts'
import { checkLimit, notFound, TrustError } from '../domain/error.ts'
import type { Role } from '../domain/permission.ts'
import { DAY_MS } from '../domain/time.ts'
import type { Sources } from '../lib/sources.ts'
import type { AccountMember, InvitationRow, MemberRow, Store } from '../store/store.ts'
import { endedToken } from './links.ts'
import { type NewPerson, openAccount } from './owners.ts'

/** A week: people who are away for some days still get in. */
const LIFETIME_MS = 7 * DAY_MS

/** People of one account, open invitations included: far above any team, far below a mailing list. */
const PEOPLE_MAX = 200

const IN_OTHER_ACCOUNT =
  'a person belongs to one account, and this e-mail address has one already: ask for an invitation to another ' +
  'e-mail address, or use this link after the admin of that account has removed you from it'

/** Invitations of the operator to open an account, at one time. */
const ACCOUNTS_MAX = 1_000

export interface NewInvitation {
  /** The account to join; null for an invitation to open an account. */
  readonly ownerId: string | null
  readonly role: Role | null
  readonly email: string
  readonly isMailed: boolean
}

/**
 * An invitation with its token, which is stored as a hash alone.
 *
 * @throws CONFLICT for a member of the account, whom its admins see in the list, and where an account is to be opened
 * also for anyone who has one, which the operator sees; for an account, members of others are like anyone else
 */
export async function createInvitation(
  within: Store,
  { now, newId }: Sources,
  invitation: NewInvitation,
): Promise<{ readonly row: InvitationRow; readonly token: string }> {
  await checkMemberLimit(within, invitation.ownerId, now())
  await checkCanAccept(within, invitation)
  const { token, hash: tokenHash } = newToken()
  const createdAt = now()
  const expiresAt = createdAt + LIFETIME_MS
  const row = { id: newId(), ...invitation, tokenHash, createdAt, expiresAt }
  await within.invitations.insert(row)
  return { row, token }
}

async function checkMemberLimit(within: Store, ownerId: string | null, now: number): Promise<void> {
  if (ownerId !== null) {
    // Locked, so that two invitations at once cannot both take the last place.
    await within.owners.find({ id: ownerId }, { lock: 'wait' })
  }
  const taken = await within.invitations.count({ ownerId, at: now })
  const max = ownerId === null ? ACCOUNTS_MAX : PEOPLE_MAX
  const refusal = `there is room for ${max} people and invitations; delete some`
  checkLimit('max_members', taken, max, refusal)
}

async function checkCanAccept(
  within: Store,
  { ownerId, email }: Pick<NewInvitation, 'ownerId' | 'email'>,
): Promise<void> {
  const known = await within.members.find({ email })
  if (known !== null && ownerId === null) {
    throw new TrustError('CONFLICT', 'this person has an account already, and can sign in to it', {
      reason: 'has_account',
    })
  }
  if (known !== null && known.ownerId === ownerId) {
    throw new TrustError('CONFLICT', 'this person is a member of the account already', {
      reason: 'already_member',
    })
  }
}

/** The invitation with this id, if it is one of this account (null: of the operator). */
export async function existingInvitation(
  store: Store,
  ownerId: string | null,
  id: string,
): Promise<InvitationRow> {
  const invitation = await store.invitations.find({ id })
  if (invitation?.ownerId !== ownerId) {
    throw notFound('invitation')
  }
  return invitation
}

/** Makes the invited person a member: of the account that invited, or of a new one. */
export async function acceptInvitation(
  within: Store,
  sources: Sources,
  token: string,
  person: Omit<NewPerson, 'emailConfirmedAt'>,
): Promise<AccountMember> {
  const invitation = await within.invitations.delete({ tokenHash: tokenHashOf(token) })
  const isGood = invitation && invitation.expiresAt > sources.now()
  if (!isGood || invitation.email !== person.email) {
    throw endedInvitation()
  }
  // A token that went out by mail alone proves the address; one that a person passed on does not.
  const emailConfirmedAt = invitation.isMailed ? sources.now() : null
  return joinBy(within, sources, invitation, { ...person, emailConfirmedAt })
}

function endedInvitation(): TrustError {
  return endedToken('invitation')
}

/** What an invitation gives to a person whose address is known. */
async function joinBy(
  within: Store,
  sources: Sources,
  { ownerId, role }: InvitationRow,
  person: NewPerson,
): Promise<AccountMember> {
  if (ownerId === null || role === null) {
    return openAccount(within, sources, person)
  }
  const owner = await within.owners.find({ id: ownerId })
  if (!owner) {
    throw endedInvitation()
  }
  const member: MemberRow = {
    id: sources.newId(),
    ownerId: owner.id,
    ...person,
    role,
    tokenEpoch: 0,
    createdAt: sources.now(),
  }
  if (!(await within.members.insert(member))) {
    throw new TrustError('CONFLICT', IN_OTHER_ACCOUNT, { reason: 'in_other_account' })
  }
  return { owner, member }
}
