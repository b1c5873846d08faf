import type { Webhook } from '../../api/types.ts'
import { number } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { to } from '../../paths.ts'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'

export function webhookColumns(): readonly string[] {
  const { webhooks: texts, common } = t.value
  return [texts.url, texts.events, texts.agents, common.status, common.created]
}

export function WebhookRow({ webhook }: { webhook: Webhook }) {
  const { webhooks: texts } = t.value
  const { consecutiveFailures: failures } = webhook
  return (
    <tr>
      <th scope="row" class="cell-url">
        <a href={to.webhook(webhook.id)}>{webhook.url}</a>
        {webhook.description && <small class="quiet">{webhook.description}</small>}
      </th>
      <td>{eventNames(webhook.events).join(', ')}</td>
      <td>{scopeWords(webhook)}</td>
      <td>
        <Status name={webhook.status} />
        {failures > 0 && <small class="quiet"> {texts.failures(number(failures), failures)}</small>}
      </td>
      <td>
        <Time at={webhook.createdAt} />
      </td>
    </tr>
  )
}

/** Kinds of notification in words. */
export function eventNames(events: readonly string[]): readonly string[] {
  const names: Readonly<Record<string, string>> = t.value.webhooks.types
  return events.map((event) => names[event] ?? event)
}

export function scopeWords({ agentIds }: Webhook): string {
  const { webhooks: texts } = t.value
  return agentIds === null
    ? texts.allAgents
    : texts.someAgents(number(agentIds.length), agentIds.length)
}
