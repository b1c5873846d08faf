import type { NotificationFilter } from '../../domain/notification.ts'
import type { WebhookFormat, WebhookHealth, WebhookRow, WebhookStore } from '../webhooks.ts'
import { expectRows, first, ID_MAX, locking, page } from './rows.ts'
import type { Sql } from './sql.ts'

export interface HealthColumns {
  status: WebhookHealth['status']
  consecutive_failures: number
  not_before: number | null
  changed_at: number | null
  reason: WebhookHealth['reason']
}

interface Row extends HealthColumns {
  id: string
  owner_id: string
  sealed_url: Buffer
  events: NotificationFilter[]
  agent_ids: string[] | null
  description: string | null
  format: WebhookFormat
  sealed_secret: Buffer
  sealed_previous: Buffer | null
  previous_until: number | null
  created_at: number
  updated_at: number
}

const COLUMNS = `id, owner_id, sealed_url, events, agent_ids, description, sealed_secret, sealed_previous,
  previous_until, status, consecutive_failures, not_before, changed_at, reason, created_at, updated_at, format`

const SELECT = `select ${COLUMNS} from webhooks where deleted_at is null`

/**
 * What is set when a subscription is deleted, besides `deleted_at`: its secrets and its address are removed at
 * once. The row stays for its deliveries, which are removed in parts.
 */
export const WITHOUT_SECRETS = `sealed_secret = '', sealed_previous = null, sealed_url = '', description = null`

export function webhookStore(sql: Sql): WebhookStore {
  const one = async (text: string, values: readonly unknown[]) => {
    const row = first(await sql<Row>(text, values))
    return row && toWebhook(row)
  }
  return {
    async insert(webhook) {
      await sql(
        `insert into webhooks (${COLUMNS})
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
        values(webhook),
      )
    },
    find: (id, options) => one(`${SELECT} and id = $1 ${locking(options)}`, [id]),
    async list(ownerId, before, limit) {
      const rows = await sql<Row>(
        `${SELECT} and owner_id = $1 and id < coalesce($2::uuid, '${ID_MAX}') order by id desc limit $3`,
        [ownerId, before, limit + 1],
      )
      return page(rows.map(toWebhook), limit)
    },
    async update(webhook) {
      const rows = await sql(
        `update webhooks set owner_id = $2, sealed_url = $3, events = $4, agent_ids = $5, description = $6,
           sealed_secret = $7, sealed_previous = $8, previous_until = $9, status = $10,
           consecutive_failures = $11, not_before = $12, changed_at = $13, reason = $14,
           created_at = $15, updated_at = $16, format = $17
         where id = $1 and deleted_at is null returning id`,
        values(webhook),
      )
      expectRows('webhook', rows.length, 1)
    },
    async delete(id, now) {
      const rows = await sql(
        `update webhooks set deleted_at = $2, ${WITHOUT_SECRETS}
         where id = $1 and deleted_at is null returning id`,
        [id, now],
      )
      expectRows('webhook', rows.length, 1)
    },
  }
}

function values(webhook: WebhookRow): unknown[] {
  return [
    webhook.id,
    webhook.ownerId,
    webhook.sealedUrl,
    webhook.events,
    webhook.agentIds,
    webhook.description,
    webhook.sealedSecret,
    webhook.sealedPrevious,
    webhook.previousUntil,
    webhook.status,
    webhook.consecutiveFailures,
    webhook.notBefore,
    webhook.changedAt,
    webhook.reason,
    webhook.createdAt,
    webhook.updatedAt,
    webhook.format,
  ]
}

export function toHealth(row: HealthColumns): WebhookHealth {
  return {
    status: row.status,
    consecutiveFailures: row.consecutive_failures,
    notBefore: row.not_before,
    changedAt: row.changed_at,
    reason: row.reason,
  }
}

function toWebhook(row: Row): WebhookRow {
  return {
    ...toHealth(row),
    id: row.id,
    ownerId: row.owner_id,
    sealedUrl: row.sealed_url,
    events: row.events,
    agentIds: row.agent_ids,
    description: row.description,
    format: row.format,
    sealedSecret: row.sealed_secret,
    sealedPrevious: row.sealed_previous,
    previousUntil: row.previous_until,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
