import type { CallerOf } from '../domain/caller.ts'
import type { Store } from '../store/store.ts'

/** Locks the caller's account, so that of requests at the same time only one takes the last place of a limit. */
export async function lockAccount(
  within: Store,
  caller: CallerOf<'owner' | 'platform'>,
): Promise<void> {
  await (caller.kind === 'owner'
    ? within.owners.find({ id: caller.ownerId }, { lock: 'wait' })
    : within.platforms.find({ id: caller.platformId }, { lock: 'wait' }))
}
