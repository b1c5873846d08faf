import { notFound, TrustError } from '../domain/error.ts'
import type { ServiceTier } from '../domain/limits.ts'
import { testIdOf } from '../domain/mode.ts'
import type { Sources } from '../lib/sources.ts'
import type {
  AccountMember,
  FindOptions,
  MemberRow,
  OwnerRow,
  OwnerStatus,
  Store,
} from '../store/store.ts'

const INITIAL_TIER: ServiceTier = 'free'

export interface NewPerson {
  readonly email: string
  /** Null for a person who signs in by OpenID Connect alone. */
  readonly passwordHash: string | null
  readonly name: string | null
  readonly emailConfirmedAt: number | null
}

/** Opens an account. The person who opens it has its id. */
export async function openAccount(
  within: Store,
  { now, newId }: Sources,
  { email, passwordHash, name, emailConfirmedAt }: NewPerson,
): Promise<AccountMember> {
  const id = newId()
  const createdAt = now()
  const owner: OwnerRow = { id, email, name, tier: INITIAL_TIER, status: 'active', createdAt }
  const login = { email, name, passwordHash, tokenEpoch: 0, emailConfirmedAt, createdAt }
  const member: MemberRow = { id, ownerId: id, role: 'admin', ...login }
  if ((await within.owners.insert(owner)) && (await within.members.insert(member))) {
    return { owner, member }
  }
  throw takenEmail()
}

function takenEmail(): TrustError {
  return new TrustError('CONFLICT', 'an account with this e-mail exists; sign in instead', {
    reason: 'email_taken',
  })
}

/** The account that a token or key names. @throws AUTHENTICATION_REQUIRED where it was removed meanwhile */
export async function ownerOf(store: Store, ownerId: string): Promise<OwnerRow> {
  const owner = await store.owners.find({ id: ownerId })
  if (!owner) {
    throw accountRemoved()
  }
  return owner
}

/** @throws NOT_FOUND */
export async function existingOwner(
  store: Store,
  id: string,
  options?: FindOptions,
): Promise<OwnerRow> {
  const owner = await store.owners.find({ id }, options)
  if (!owner) {
    throw notFound('owner')
  }
  return owner
}

export interface OwnerPatch {
  readonly tier?: ServiceTier | undefined
  readonly status?: Exclude<OwnerStatus, 'erased'> | undefined
}

/** Moves an account, with all of its agents, to another tier, suspends it or reactivates it. */
export async function updateOwner(
  within: Store,
  ownerId: string,
  patch: OwnerPatch,
): Promise<OwnerRow> {
  const known = await within.owners.find({ id: ownerId }, { lock: 'wait' })
  if (known?.status === 'erased') {
    throw new TrustError('CONFLICT', 'this account was erased; it cannot be changed', {
      reason: 'owner_erased',
    })
  }
  const { tier, status } = patch
  const owner = await within.owners.update({ id: ownerId }, { tier, status })
  await (status !== undefined && updateTestAccount(within, testIdOf(ownerId), status))
  if (!owner) {
    throw notFound('owner')
  }
  return owner
}

/** The test data of an account is suspended with it, the keys of its test platforms too. Where it has none, nothing is changed. */
async function updateTestAccount(
  within: Store,
  id: string,
  status: Exclude<OwnerStatus, 'erased'>,
): Promise<void> {
  await within.owners.update({ id }, { status })
  for (const platform of await within.platforms.findAll({ ownerId: id })) {
    await within.platforms.update({ id: platform.id }, { status })
  }
}

/** For a person who has signed in, or was just recognized. */
export function accountRemoved(): TrustError {
  return new TrustError('AUTHENTICATION_REQUIRED', 'this account was removed')
}
