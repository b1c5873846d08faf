import { audit } from '../audit/audit.ts'
import { hashOf, isWellFormed, keyKindOf } from '../auth/key-format.ts'
import { PASSWORD_LENGTH_MIN, type PasswordRules } from '../auth/password-rules.ts'
import { createPasswords } from '../auth/passwords.ts'
import type { Principal } from '../auth/rotate-key.ts'
import { SCOPES } from '../domain/permission.ts'
import { recordOwnerKey } from '../identity/owner-keys.ts'
import { openAccount } from '../identity/owners.ts'
import { createPlatform } from '../identity/platforms.ts'
import type { Log } from '../lib/log.ts'
import type { Sources } from '../lib/sources.ts'
import { UserError } from '../lib/user-error.ts'
import type { FirstAccounts } from '../settings/first-accounts.ts'
import type { KeyKind, Store } from '../store/store.ts'

export interface InitContext extends Sources {
  readonly store: Store
  readonly passwordRules: PasswordRules
}

/**
 * Creates the first owner and the first platform of an installation (`STANDING_INIT_*`). Each is
 * created once: a later start leaves both as they are by then, also when the settings have changed.
 */
export async function initialise(
  context: InitContext,
  init: FirstAccounts,
  log: Log,
): Promise<void> {
  checkSettings(init)
  const { owner, platform } = init
  if (owner !== null && (await isMissing(context, 'init_owner'))) {
    const passwordHash = await hashOfPassword(context, owner)
    await createOnce(context, 'init_owner', log, (within) =>
      createOwner(within, context, owner, passwordHash),
    )
  }
  if (platform !== null && (await isMissing(context, 'init_platform'))) {
    await createOnce(context, 'init_platform', log, (within) =>
      addPlatform(within, context, platform),
    )
  }
}

async function hashOfPassword(
  { passwordRules }: InitContext,
  { email, password }: NonNullable<FirstAccounts['owner']>,
): Promise<string> {
  const problem = await passwordRules.problem(password, { email, name: null })
  if (problem) {
    throw new UserError(`STANDING_INIT_OWNER_PASSWORD ${problem.message}.`)
  }
  const passwords = await createPasswords()
  return passwords.hash(password)
}

async function isMissing({ store }: InitContext, name: string): Promise<boolean> {
  return (await store.installation.find({ name })) === null
}

/** If several nodes start together, one of them does the work. */
async function createOnce(
  { store, now }: InitContext,
  name: string,
  log: Log,
  work: (within: Store) => Promise<void>,
): Promise<void> {
  await store.transaction(async (within) => {
    if (await within.installation.insert({ name, value: String(now()) })) {
      await work(within)
      log.info({ created: name }, 'created as STANDING_INIT_* says')
    }
  })
}

async function createOwner(
  within: Store,
  context: InitContext,
  { email, key }: NonNullable<FirstAccounts['owner']>,
  passwordHash: string,
): Promise<void> {
  const address = email.trim().toLowerCase()
  // An account with this e-mail existed before the setting: it stays as it is.
  if ((await within.members.find({ email: address })) !== null) {
    return
  }
  const now = context.now()
  const person = { email: address, passwordHash, name: null, emailConfirmedAt: now }
  const { owner } = await openAccount(within, context, person)
  if (key !== null) {
    const named = { ownerId: owner.id, createdBy: owner.id, name: 'init', scopes: SCOPES }
    const row = await recordOwnerKey(within, context, { ...named, expiresAt: null })
    await insertKey(within, { kind: 'owner', id: row.id }, key, now)
  }
  await audit(within, context, 'setup', {
    action: 'owner.registered',
    target: { kind: 'owner', id: owner.id },
  })
}

async function addPlatform(
  within: Store,
  context: InitContext,
  { name, key }: NonNullable<FirstAccounts['platform']>,
): Promise<void> {
  const platform = await createPlatform(within, context, 'live', {
    name,
    tier: 'platform',
    publicKey: null,
    requireAttestation: false,
    // The operator names this platform in the settings, which is an admission.
    verified: true,
    ownerId: null,
  })
  await insertKey(within, { kind: 'platform', id: platform.id }, key, context.now())
  await audit(within, context, 'setup', {
    action: 'platform.created',
    target: { kind: 'platform', id: platform.id },
  })
}

async function insertKey(
  within: Store,
  { kind, id: principalId }: Principal,
  key: string,
  createdAt: number,
): Promise<void> {
  await within.keys.insert({
    hash: hashOf(key),
    kind,
    principalId,
    createdAt,
    expiresAt: null,
    lastUsedAt: null,
  })
}

function checkSettings({ owner, platform }: FirstAccounts): void {
  if (owner && !/^[^\s@]+@[^\s@]+$/.test(owner.email.trim())) {
    throw new UserError('STANDING_INIT_OWNER_EMAIL must be an e-mail address.')
  }
  if (owner && owner.password.length < PASSWORD_LENGTH_MIN) {
    throw new UserError(
      `STANDING_INIT_OWNER_PASSWORD must have at least ${PASSWORD_LENGTH_MIN} characters.`,
    )
  }
  checkKey('STANDING_INIT_OWNER_KEY', 'owner', owner?.key ?? null)
  checkKey('STANDING_INIT_PLATFORM_KEY', 'platform', platform?.key ?? null)
}

function checkKey(setting: string, kind: KeyKind, key: string | null): void {
  if (key !== null && (keyKindOf(key) !== kind || !isWellFormed(key))) {
    throw new UserError(
      `${setting} is not a key with a correct checksum. Create one with: standing key new ${kind}`,
    )
  }
}
