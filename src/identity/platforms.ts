import { invalidField, notFound } from '../domain/error.ts'
import { isTestId, type Mode, testIdOf } from '../domain/mode.ts'
import type { Sources } from '../lib/sources.ts'
import type { FindOptions, PlatformRow, Store } from '../store/store.ts'

export type NewPlatform = Pick<
  PlatformRow,
  'name' | 'tier' | 'publicKey' | 'requireAttestation' | 'verified' | 'ownerId'
>

export interface PlatformPatch {
  readonly name?: string | undefined
  readonly tier?: PlatformRow['tier'] | undefined
  /** Null removes the key. */
  readonly publicKey?: string | null | undefined
  readonly requireAttestation?: boolean | undefined
  readonly verified?: boolean | undefined
  readonly status?: PlatformRow['status'] | undefined
  /** How long a replaced signing key keeps working. */
  readonly previousKeyOverlapSeconds: number
}

export async function createPlatform(
  within: Store,
  { now, newId }: Sources,
  mode: Mode,
  platform: NewPlatform,
): Promise<PlatformRow> {
  checkSigning(platform)
  await checkOwner(within, platform.ownerId)
  const at = now()
  const row: PlatformRow = {
    ...platform,
    id: mode === 'test' ? testIdOf(newId()) : newId(),
    status: 'active',
    previousKey: null,
    createdAt: at,
    updatedAt: at,
  }
  await within.platforms.insert(row)
  return row
}

async function checkOwner(within: Store, ownerId: string | null): Promise<void> {
  const owner = ownerId === null ? null : await within.owners.find({ id: ownerId })
  // Of an erased account only the id is left.
  if (ownerId !== null && (owner === null || owner.status === 'erased')) {
    throw invalidField('ownerId', 'is not the id of an owner')
  }
}

export async function existingPlatform(
  store: Store,
  id: string,
  options: FindOptions = {},
): Promise<PlatformRow> {
  const platform = await store.platforms.find({ id }, options)
  if (!platform) {
    throw notFound('platform')
  }
  return platform
}

export async function updatePlatform(
  within: Store,
  { now }: Sources,
  id: string,
  patch: PlatformPatch,
): Promise<PlatformRow> {
  // Locked, so that two changes at once keep what each of them changed.
  const changed = patched(await existingPlatform(within, id, { lock: 'wait' }), patch, now())
  checkSigning(changed)
  await within.platforms.update({ id }, changed)
  const { status } = patch
  if (status !== undefined && !isTestId(id)) {
    await within.platforms.update({ id: testIdOf(id) }, { status, updatedAt: now() })
  }
  return changed
}

/** The platform with its changes. A replaced signing key keeps working for the overlap. */
function patched(platform: PlatformRow, patch: PlatformPatch, now: number): PlatformRow {
  const { publicKey = platform.publicKey } = patch
  const changed: PlatformRow = {
    ...platform,
    name: patch.name ?? platform.name,
    tier: patch.tier ?? platform.tier,
    status: patch.status ?? platform.status,
    requireAttestation: patch.requireAttestation ?? platform.requireAttestation,
    verified: patch.verified ?? platform.verified,
    updatedAt: now,
  }
  if (publicKey === platform.publicKey) {
    return changed
  }
  const expiresAt = now + patch.previousKeyOverlapSeconds * 1000
  const isReplaced = publicKey !== null && platform.publicKey !== null
  const previousKey = isReplaced ? { publicKey: platform.publicKey, expiresAt } : null
  return { ...changed, publicKey, previousKey }
}

function checkSigning({
  publicKey,
  requireAttestation,
}: Pick<PlatformRow, 'publicKey' | 'requireAttestation'>): void {
  if (requireAttestation && publicKey === null) {
    throw invalidField('requireAttestation', 'needs a publicKey to check signatures with')
  }
}
