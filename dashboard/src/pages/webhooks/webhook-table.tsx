import type { Webhook } from '../../api/types.ts'
import { number } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { to } from '../../paths.ts'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'

export function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  const { webhooks: texts, common } = t.value
  return (
    <div class="table-frame">
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.url}</th>
            <th scope="col">{texts.events}</th>
            <th scope="col">{texts.agents}</th>
            <th scope="col">{common.status}</th>
            <th scope="col">{common.created}</th>
          </tr>
        </thead>
        <tbody>
          {webhooks.map((webhook) => (
            <tr key={webhook.id}>
              <th scope="row" class="cell-url">
                <a href={to.webhook(webhook.id)}>{webhook.url}</a>
                {webhook.description && <small class="quiet">{webhook.description}</small>}
              </th>
              <td>{eventNames(webhook.events).join(', ')}</td>
              <td>{scopeWords(webhook)}</td>
              <td>
                <Status name={webhook.status} />
                {webhook.consecutiveFailures > 0 && (
                  <small class="quiet">
                    {' '}
                    {texts.failures(
                      number(webhook.consecutiveFailures),
                      webhook.consecutiveFailures,
                    )}
                  </small>
                )}
              </td>
              <td>
                <Time at={webhook.createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
