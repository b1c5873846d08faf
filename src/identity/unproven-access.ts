import { testIdOf } from '../domain/mode.ts'
import type { Sources } from '../lib/sources.ts'
import type { Page, Store } from '../store/store.ts'
import { revokeOwnerKey } from './owner-keys.ts'

/** Rows that are read at a time: more than most accounts have. */
const PAGE_ROWS = 200

/**
 * Ends what gives others access to an account, or tells them of it: its other members, invitations, API keys and
 * webhooks, in test mode too. The caller has locked the account and the person who opened it, so that none is made
 * meanwhile.
 */
export async function endUnprovenAccess(
  within: Store,
  sources: Sources,
  ownerId: string,
): Promise<void> {
  for (const member of await allOf(within.members, ownerId)) {
    // The person who opened the account has its id.
    await (member.id !== ownerId && within.members.delete({ id: member.id }))
  }
  for (const { id } of await allOf(within.invitations, ownerId)) {
    await within.invitations.delete({ id })
  }
  for (const key of await allOf(within.ownerKeys, ownerId)) {
    await (key.revokedAt === null && revokeOwnerKey(within, sources, key))
  }
  for (const accountId of [ownerId, testIdOf(ownerId)]) {
    for (const { id } of await allOf(within.webhooks, accountId)) {
      await within.webhooks.delete({ id })
    }
  }
}

interface ListedById<Row> {
  list(accountId: string, after: string | null, limit: number): Promise<Page<Row>>
}

async function allOf<Row extends { readonly id: string }>(
  { list }: ListedById<Row>,
  accountId: string,
): Promise<readonly Row[]> {
  const found: Row[] = []
  let page = await list(accountId, null, PAGE_ROWS)
  found.push(...page.rows)
  while (page.more) {
    page = await list(accountId, found.at(-1)?.id ?? null, PAGE_ROWS)
    found.push(...page.rows)
  }
  return found
}
