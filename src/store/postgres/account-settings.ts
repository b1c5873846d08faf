import type { Session } from './session.ts'
import { DELETED } from './webhooks.ts'

/**
 * Deletes the settings of an account: listeners, watches, policies and webhooks. How many webhooks. Their deliveries are
 * removed later, in parts. May run again.
 */
export async function deleteSettings(
  { sql, changed }: Session,
  kind: 'owner' | 'platform',
  id: string,
): Promise<number> {
  const holder = `${kind}:${id}`
  await sql('delete from listeners where owner_id = $1', [id])
  await sql('delete from watches where holder_id = $1', [id])
  await sql('delete from policies where holder = $1', [holder])
  await changed({ kind: 'policies', ids: [holder] })
  const webhooks = await sql<{ id: string }>(
    `update webhooks set ${DELETED} where owner_id = $1 and deleted_at is null returning id`,
    [id],
  )
  await changed({ kind: 'deliveries', ids: webhooks.map((webhook) => webhook.id) })
  return webhooks.length
}
