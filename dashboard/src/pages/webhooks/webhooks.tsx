import { useList } from '../../api/list.ts'
import type { Webhook } from '../../api/types.ts'
import { listWebhooks } from '../../api/webhooks.ts'
import { t } from '../../messages/index.ts'
import { may } from '../../session/rights.ts'
import { Listing, useCreating } from '../../ui/listing.tsx'
import { PageHead } from '../../ui/page.tsx'
import { CreateWebhookDialog } from './create.tsx'
import { WebhookRow, webhookColumns } from './webhook-table.tsx'

export function Webhooks() {
  const { webhooks: texts } = t.value
  const list = useList<Webhook>('webhooks', listWebhooks)
  const creating = useCreating('create-webhook', texts.create, may('manage'))
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} needs="manage">
        {list.data?.rows.length !== 0 && creating.button}
      </PageHead>
      <Listing
        of={list}
        none={texts.none}
        noneText={texts.noneText}
        action={creating.button}
        columns={webhookColumns()}
      >
        {(webhook) => <WebhookRow webhook={webhook} />}
      </Listing>
      {creating.isOpen && <CreateWebhookDialog onClose={creating.close} />}
    </>
  )
}
