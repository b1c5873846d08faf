import { UserError } from '../lib/user-error.ts'
import type { Vault } from '../lib/vault.ts'
import type { Store } from '../store/store.ts'

/** Fails when the database was set up with another secret: what is sealed in it could not be read. */
export async function checkSecret({ installation }: Store, { checkValue }: Vault): Promise<void> {
  await installation.claim('secret_check', checkValue)
  if ((await installation.get('secret_check')) === checkValue) {
    return
  }
  throw new UserError(
    'STANDING_SECRET_KEY is not the one that this database was set up with. Every node needs the ' +
      'same key. Nothing was changed.',
  )
}
