import { createSweeper, type SweeperOptions } from '../../credentials/revocation.ts'
import { createStatusLists } from '../../credentials/status-list.ts'
import type { Route } from '../../http/route.ts'
import { createSigningKeys } from '../../signing/keys.ts'
import { type PublishedRoutesOptions, publishedRoutes } from './published-routes.ts'
import { reissueRoutes } from './reissue-routes.ts'
import { type CredentialRoutesOptions, credentialRoutes } from './routes.ts'

/** What there is to issue credentials with, and to publish what verifiers need. */
export interface CredentialParts extends CredentialRoutesOptions, PublishedRoutesOptions {
  /** Revokes, once a day, what the passing of days has made untrue; to be called now and then. */
  sweep(): Promise<void>
}

export async function createCredentialParts(
  options: Pick<CredentialParts, 'context' | 'scores' | 'receiptKeys' | 'baseUrl'>,
  onFailed: SweeperOptions['onFailed'],
): Promise<CredentialParts> {
  const { context, baseUrl } = options
  const keys = await createSigningKeys(context, 'credentials')
  const sweeper = createSweeper({ store: context.store, now: context.now, onFailed })
  const lists = createStatusLists({ context, keys, sweeper, baseUrl })
  return { ...options, keys, lists, sweep: sweeper.again }
}

export function routesOfCredentials(parts: CredentialParts): readonly Route[] {
  return [...credentialRoutes(parts), ...publishedRoutes(parts), ...reissueRoutes(parts)]
}
