import { useRoute } from 'preact-iso/router'
import { refresh } from '../../api/cache.ts'
import { useResource } from '../../api/resource.ts'
import type { Webhook } from '../../api/types.ts'
import { getWebhook, updateWebhook } from '../../api/webhooks.ts'
import { dateTime, number } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { to } from '../../paths.ts'
import { useModeOf } from '../../session/enter.ts'
import { may } from '../../session/rights.ts'
import { Dialog, useOpened } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Crumb, PageHead } from '../../ui/page.tsx'
import { Raw } from '../../ui/raw.tsx'
import { Failure, Loaded, NotFound } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { toast } from '../../ui/toasts.tsx'
import { WebhookActions } from './actions.tsx'
import { Deliveries } from './deliveries.tsx'
import { WebhookForm } from './form.tsx'
import { eventNames, scopeWords } from './webhook-table.tsx'

export function WebhookPage() {
  const { id = '' } = useRoute().params
  const isInMode = useModeOf(id)
  if (!id) {
    return <NotFound />
  }
  return isInMode ? <OfWebhook key={id} id={id} /> : null
}

function OfWebhook({ id }: { id: string }) {
  const webhook = useResource(`webhook:${id}`, (signal) => getWebhook(id, signal))
  if (webhook.error !== undefined && !webhook.data) {
    return <Failure isPage error={webhook.error} retry={webhook.reload} />
  }
  return (
    <Loaded of={webhook} rows={8}>
      {(data) => <Details webhook={data} />}
    </Loaded>
  )
}

function Details({ webhook }: { webhook: Webhook }) {
  const { webhooks: texts, common } = t.value
  const { isOpen: isEditing, open: edit, close } = useOpened()
  return (
    <>
      <PageHead
        title={webhook.url}
        before={<Crumb href={to.webhooks()} label={texts.title} />}
        needs="manage"
      >
        {may('manage') && <WebhookActions webhook={webhook} edit={edit} />}
        <Raw path={`/v1/webhooks/${webhook.id}`} />
      </PageHead>
      <Facts
        of={[
          [common.status, <WebhookStatus webhook={webhook} />],
          [texts.events, eventNames(webhook.events).join(', ')],
          [texts.agents, scopeWords(webhook)],
          webhook.description && [texts.description, webhook.description],
        ]}
      />
      <Deliveries webhookId={webhook.id} />
      {isEditing && (
        <Dialog title={texts.edit} onClose={close}>
          <WebhookForm
            known={webhook}
            submitLabel={common.save}
            submit={async (input) => {
              await updateWebhook(webhook.id, input)
              refresh('webhook')
              toast(common.saved)
              close()
            }}
          >
            <button type="button" onClick={close}>
              {common.cancel}
            </button>
          </WebhookForm>
        </Dialog>
      )}
    </>
  )
}

function WebhookStatus({
  webhook: { status, consecutiveFailures: failures, statusReason, statusChangedAt },
}: {
  webhook: Webhook
}) {
  const { webhooks: texts } = t.value
  return (
    <>
      <Status name={status} />
      {failures > 0 && ` · ${texts.failures(number(failures), failures)}`}
      {statusReason && ` · ${texts.reasons[statusReason]}`}
      {statusChangedAt && <span class="quiet"> {dateTime(statusChangedAt)}</span>}
    </>
  )
}
