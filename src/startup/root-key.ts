/**
 * Everything secret is encrypted under one root key, which never changes. The database holds it encrypted
 * under the master key (STANDING_SECRET_KEY or secret.key), and for the time of a rotation under two. So
 * a rotation writes one row, running nodes notice nothing, and no name that is a keyed hash changes.
 */
import { randomBytes } from 'node:crypto'
import { SECRET_BYTES } from '../lib/secret-bytes.ts'
import { UserError } from '../lib/user-error.ts'
import { createVault, type Vault } from '../lib/vault.ts'
import type { FindOptions, Store } from '../store/store.ts'

/** The fact in the database: the encrypted root key, in base64, by the check value of the master key. */
export const ROOT_KEY = 'root_key'

/** Binds the ciphertext to its use. */
const SEALED_AS = 'root key'

type Sealings = Readonly<Record<string, string>>

/** The vault of the installation; the first start creates its root key. @throws UserError */
export async function openVault(store: Store, masterKey: Uint8Array): Promise<Vault> {
  const { installation } = store
  const first = sealingsOf(masterKey, randomBytes(SECRET_BYTES))
  await installation.insert({ name: ROOT_KEY, value: JSON.stringify(first) })
  return createVault(rootKeyIn(await storedKeys(store), masterKey))
}

/** Lets both master keys open the database. Running it again changes nothing. */
export async function addMasterKey(
  store: Store,
  current: Uint8Array,
  next: Uint8Array,
): Promise<void> {
  await store.transaction(async (within) => {
    const stored = await storedKeys(within, { lock: 'wait' })
    const rootKey = rootKeyIn(stored, current)
    const sealings = { ...readSealings(stored), ...sealingsOf(next, rootKey) }
    await within.installation.save({ name: ROOT_KEY, value: JSON.stringify(sealings) })
  })
}

/** Lets only this master key open the database. */
export async function keepOnlyMasterKey(store: Store, masterKey: Uint8Array): Promise<void> {
  await store.transaction(async (within) => {
    const stored = await storedKeys(within, { lock: 'wait' })
    const rootKey = rootKeyIn(stored, masterKey)
    const value = JSON.stringify(sealingsOf(masterKey, rootKey))
    await within.installation.save({ name: ROOT_KEY, value })
  })
}

async function storedKeys({ installation }: Store, options?: FindOptions): Promise<string | null> {
  return (await installation.find({ name: ROOT_KEY }, options))?.value ?? null
}

/** The check values of the master keys that open a database, by what it stores. */
export function checkValuesIn(stored: string | null): readonly string[] {
  return Object.keys(readSealings(stored))
}

/** Whether a master key opens the database that stores this. */
export function opens(stored: string | null, masterKey: Uint8Array): boolean {
  return checkValuesIn(stored).includes(createVault(masterKey).checkValue)
}

function rootKeyIn(stored: string | null, masterKey: Uint8Array): Uint8Array {
  const vault = createVault(masterKey)
  const sealed = readSealings(stored)[vault.checkValue]
  if (sealed === undefined) {
    throw new UserError(
      'The master key (STANDING_SECRET_KEY, or secret.key in the data directory) is not the one that ' +
        'this database was set up with. Every node needs the same key: set it, or put back the ' +
        'secret.key that you kept. The database was not changed.',
    )
  }
  return vault.open(Buffer.from(sealed, 'base64'), SEALED_AS)
}

function sealingsOf(masterKey: Uint8Array, rootKey: Uint8Array): Sealings {
  const { checkValue, seal } = createVault(masterKey)
  return { [checkValue]: Buffer.from(seal(rootKey, SEALED_AS)).toString('base64') }
}

function readSealings(stored: string | null): Sealings {
  return stored === null ? {} : (JSON.parse(stored) as Sealings)
}
