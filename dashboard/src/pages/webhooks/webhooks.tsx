import { useSignal } from '@preact/signals'
import { useList } from '../../api/list.ts'
import type { Webhook } from '../../api/types.ts'
import { listWebhooks } from '../../api/webhooks.ts'
import { t } from '../../messages/index.ts'
import { useCreate } from '../../shell/commands.ts'
import { Icon } from '../../ui/icon.tsx'
import { More } from '../../ui/more.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { CreateWebhookDialog } from './create.tsx'
import { WebhookTable } from './webhook-table.tsx'

export function Webhooks() {
  const { webhooks: texts } = t.value
  const list = useList<Webhook>('webhooks', listWebhooks)
  const isOpen = useSignal(false)
  const open = () => {
    isOpen.value = true
  }
  useCreate('create-webhook', texts.create, open)
  const create = (
    <button type="button" class="primary" onClick={open} title={`${texts.create} (C)`}>
      <Icon name="plus" />
      {texts.create}
    </button>
  )
  const isEmpty = list.data?.rows.length === 0
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead}>
        {!isEmpty && create}
      </PageHead>
      <Loaded of={list} rows={4}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty title={texts.none} action={create}>
              <p>{texts.noneText}</p>
            </Empty>
          ) : (
            <>
              <WebhookTable webhooks={rows} />
              <More list={list} />
            </>
          )
        }
      </Loaded>
      {isOpen.value && (
        <CreateWebhookDialog
          onClose={() => {
            isOpen.value = false
          }}
        />
      )}
    </>
  )
}
