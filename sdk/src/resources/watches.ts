import type { CallOptions, WriteOptions } from '../call.ts'
import type { Calls } from '../calls.ts'
import type { CredentialKind } from '../options.ts'
import type { Listing } from '../page.ts'
import type { ListQuery, Watch } from '../types.ts'
import { path } from '../url.ts'

export type Watches = ReturnType<typeof watchCalls>

const HOLDER: readonly CredentialKind[] = ['token', 'apiKey']

/** For an owner or a platform: the agents of others whose notifications its webhooks get. */
export function watchCalls({ put, remove, list }: Calls) {
  return {
    add: (agentId: string, options?: WriteOptions): Promise<Watch> =>
      put(path`/v1/watches/${agentId}`, HOLDER, undefined, options),
    list: (query?: ListQuery, options?: CallOptions): Listing<Watch> =>
      list('/v1/watches', HOLDER, query, options),
    remove: (agentId: string, options?: WriteOptions): Promise<void> =>
      remove(path`/v1/watches/${agentId}`, HOLDER, options),
  }
}
