import { useSignal } from '@preact/signals'
import { refresh } from '../../api/cache.ts'
import { createWebhook } from '../../api/webhooks.ts'
import { t } from '../../messages/index.ts'
import { to } from '../../paths.ts'
import { Secret } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { WebhookForm } from './form.tsx'

export function CreateWebhookDialog({ onClose }: { onClose: () => void }) {
  const { webhooks: texts, common } = t.value
  const made = useSignal<{ readonly id: string; readonly secret: string } | null>(null)
  return (
    <Dialog title={texts.create} onClose={onClose} isFirm>
      {made.value ? (
        <>
          <Secret label={texts.secret} value={made.value.secret} />
          <p class="quiet">{texts.signedBy}</p>
          <div class="dialog-foot">
            <a class="button primary" href={to.webhook(made.value.id)}>
              {common.done}
            </a>
          </div>
        </>
      ) : (
        <WebhookForm
          submitLabel={texts.create}
          submit={async (input) => {
            made.value = await createWebhook(input)
            refresh('webhooks')
          }}
        >
          <button type="button" onClick={onClose}>
            {common.cancel}
          </button>
        </WebhookForm>
      )}
    </Dialog>
  )
}
