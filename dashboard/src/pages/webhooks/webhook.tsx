import { useRoute } from 'preact-iso/router'
import { refresh } from '../../api/cache.ts'
import { useResource } from '../../api/resource.ts'
import type { Webhook } from '../../api/types.ts'
import { getWebhook, updateWebhook } from '../../api/webhooks.ts'
import { dateTime, number } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { to } from '../../paths.ts'
import { useModeOf } from '../../session/enter.ts'
import { Dialog, useOpened } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PageHead } from '../../ui/page.tsx'
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
  const { consecutiveFailures: failures, statusReason, statusChangedAt } = webhook
  return (
    <>
      <PageHead
        title={webhook.url}
        before={
          <a class="crumb" href={to.webhooks()}>
            <Icon name="left" size={12} /> {texts.title}
          </a>
        }
      >
        <WebhookActions webhook={webhook} edit={edit} />
        <Raw path={`/v1/webhooks/${webhook.id}`} />
      </PageHead>
      <dl class="facts">
        <dt>{common.status}</dt>
        <dd>
          <Status name={webhook.status} />
          {failures > 0 && ` · ${texts.failures(number(failures), failures)}`}
          {statusReason && ` · ${texts.reasons[statusReason]}`}
          {statusChangedAt && <span class="quiet"> {dateTime(statusChangedAt)}</span>}
        </dd>
        <dt>{texts.events}</dt>
        <dd>{eventNames(webhook.events).join(', ')}</dd>
        <dt>{texts.agents}</dt>
        <dd>{scopeWords(webhook)}</dd>
        {webhook.description && (
          <>
            <dt>{texts.description}</dt>
            <dd>{webhook.description}</dd>
          </>
        )}
      </dl>
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
