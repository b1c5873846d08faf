import type { ById } from '../rows.ts'
import type { WebhookHealth, WebhookRow, WebhookStore } from '../webhooks.ts'
import { DATABASE_NOW } from './database-clock.ts'
import { WAKE } from './notifications.ts'
import { rowStore } from './row-store.ts'
import type { Session } from './session.ts'
import { readerOf, tableOf } from './table.ts'

const HEALTH_COLUMNS = {
  status: 'status',
  consecutiveFailures: 'consecutive_failures',
  notBefore: 'not_before',
  changedAt: 'changed_at',
  reason: 'reason',
}

export const HEALTH = tableOf<WebhookHealth>('webhooks', HEALTH_COLUMNS)

const WEBHOOKS = tableOf<WebhookRow>('webhooks', {
  id: 'id',
  ownerId: 'owner_id',
  sealedUrl: 'sealed_url',
  events: 'events',
  agentIds: 'agent_ids',
  description: 'description',
  format: 'format',
  sealedSecret: 'sealed_secret',
  sealedPrevious: 'sealed_previous',
  previousUntil: 'previous_until',
  ...HEALTH_COLUMNS,
  createdAt: 'created_at',
  updatedAt: 'updated_at',
})

/**
 * What is set when a subscription is deleted: its secrets and its address are removed at once. The row stays for its
 * deliveries, which are removed in parts, and some time longer by the same clock.
 */
export const DELETED = `deleted_at = ${DATABASE_NOW}, sealed_secret = '', sealed_previous = null, sealed_url = '',
  description = null`

const rowsIn = rowStore<WebhookRow, ById, string>(WEBHOOKS, {
  where: 'deleted_at is null',
  list: { of: 'owner_id = $1', order: 'id desc' },
  change: ({ id }) => ({ kind: 'deliveries', ids: [id] }),
})

export function webhookStore(session: Session): WebhookStore {
  return {
    ...rowsIn(session),
    async delete({ id }) {
      const deleted = await readerOf(session.sql, WEBHOOKS).one(
        `update webhooks set ${DELETED} where id = $1 and deleted_at is null
         returning ${WEBHOOKS.columns}`,
        [id],
      )
      if (deleted) {
        await session.changed({ kind: 'deliveries', ids: [id] })
      }
      return deleted
    },
  }
}

/**
 * After the status of an account was written: what waits in a node goes back to the queue, which holds it while the
 * account is suspended, and gives it again once it is not.
 */
export async function requeueDeliveries(
  { sql, changed }: Session,
  accountId: string,
): Promise<void> {
  const webhooks = await sql<{ id: string }>(
    'select id from webhooks where owner_id = $1 and deleted_at is null',
    [accountId],
  )
  if (webhooks.length > 0) {
    await changed({ kind: 'deliveries', ids: webhooks.map(({ id }) => id) })
    await sql(WAKE)
  }
}
