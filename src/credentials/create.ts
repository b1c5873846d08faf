import type { Log } from '../lib/log.ts'
import { createSigningKeys, type SigningKeys, type SigningKeysOptions } from '../signing/keys.ts'
import { createSweeper } from './revocation.ts'
import { createStatusLists, type StatusLists } from './status-list.ts'

/** What issues credentials, and what verifiers need to check them. */
export interface Credentials {
  /** Sign credentials. */
  readonly keys: SigningKeys
  /** Sign what concerns test agents. */
  readonly testKeys: SigningKeys
  readonly lists: StatusLists
  /** Once a day revokes the score credentials that the passing of days made untrue; call it often. */
  sweep(): Promise<void>
}

export async function createCredentials(
  options: SigningKeysOptions & { readonly baseUrl: () => string; readonly log: Log },
): Promise<Credentials> {
  const { store, now, baseUrl, log } = options
  const keys = await createSigningKeys(options, 'credentials')
  const testKeys = await createSigningKeys(options, 'test')
  const sweeper = createSweeper({
    store,
    now,
    onFailed: (err, agentId) => log.warn({ err, agentId }, 'credentials not settled'),
  })
  const lists = createStatusLists({ store, now, keys, sweeper, baseUrl })
  return { keys, testKeys, lists, sweep: sweeper.again }
}
