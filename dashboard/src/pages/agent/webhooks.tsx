import { useList } from '../../api/list.ts'
import type { Webhook } from '../../api/types.ts'
import { listWebhooks } from '../../api/webhooks.ts'
import { t } from '../../messages/index.ts'
import { to } from '../../paths.ts'
import { Empty, Loaded } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { WebhookRow, webhookColumns } from '../webhooks/webhook-table.tsx'
import type { AgentView } from './data.ts'

/** The webhooks that cover this agent; they are managed on a page of their own. */
export function AgentWebhooks({ view: { id } }: { view: AgentView }) {
  const { webhooks: texts } = t.value
  const list = useList<Webhook>('webhooks', listWebhooks)
  return (
    <Loaded of={list} rows={3}>
      {({ rows }) => {
        const covering = rows.filter(({ agentIds }) => agentIds === null || agentIds.includes(id))
        return (
          <>
            {covering.length === 0 ? (
              <Empty title={texts.noneForAgent} />
            ) : (
              <Table columns={webhookColumns()}>
                {covering.map((webhook) => (
                  <WebhookRow key={webhook.id} webhook={webhook} />
                ))}
              </Table>
            )}
            <p class="after-table">
              <a href={to.webhooks()}>{texts.title}</a>
            </p>
          </>
        )
      }}
    </Loaded>
  )
}
