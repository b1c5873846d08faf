import { notFound } from '../domain/error.ts'
import type { Store } from '../store/store.ts'

/**
 * Locks an account, so that of requests at the same time only one takes the last place of a limit.
 * @throws NOT_FOUND where it does not exist
 */
export async function lockAccount(
  { owners, platforms }: Store,
  { kind, id }: { readonly kind: 'owner' | 'platform'; readonly id: string },
): Promise<void> {
  const found =
    kind === 'owner'
      ? await owners.find({ id }, { lock: 'wait' })
      : await platforms.find({ id }, { lock: 'wait' })
  if (!found) {
    throw notFound(kind)
  }
}
