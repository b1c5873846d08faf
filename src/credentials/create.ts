import type { Context } from '../context.ts'
import { createSigningKeys, type SigningKeys } from '../signing/keys.ts'
import { createSweeper, type SweeperOptions } from './revocation.ts'
import { createStatusLists, type StatusLists } from './status-list.ts'

/** What issues credentials, and what verifiers need to check them. */
export interface Credentials {
  /** Sign credentials. */
  readonly keys: SigningKeys
  readonly lists: StatusLists
  /** Once a day revokes the score credentials that the passing of days made untrue; call it often. */
  sweep(): Promise<void>
}

export async function createCredentials(
  { context, baseUrl }: { readonly context: Context; readonly baseUrl: () => string },
  onFailed: SweeperOptions['onFailed'],
): Promise<Credentials> {
  const keys = await createSigningKeys(context, 'credentials')
  const sweeper = createSweeper({ store: context.store, now: context.now, onFailed })
  const lists = createStatusLists({ context, keys, sweeper, baseUrl })
  return { keys, lists, sweep: sweeper.again }
}
