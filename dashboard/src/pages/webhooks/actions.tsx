import { useLocation } from 'preact-iso/router'
import { refresh } from '../../api/cache.ts'
import type { Webhook } from '../../api/types.ts'
import { deleteWebhook, rotateSecret, testWebhook, updateWebhook } from '../../api/webhooks.ts'
import { dateTime } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { to } from '../../paths.ts'
import { Secret } from '../../ui/copy.tsx'
import { Dialog, useChosen, useOpened } from '../../ui/dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { removeLater } from '../../ui/row-changes.tsx'
import { useToastedAction } from '../../ui/toasted-action.tsx'
import { toast } from '../../ui/toasts.tsx'
import { RecoverDialog } from './recover.tsx'

export function WebhookActions({ webhook, edit }: { webhook: Webhook; edit: () => void }) {
  const { webhooks: texts, common } = t.value
  const { route } = useLocation()
  const rotated = useChosen<Awaited<ReturnType<typeof rotateSecret>>>()
  const recovery = useOpened()
  const set = useToastedAction(async (status: 'active' | 'disabled') => {
    await updateWebhook(webhook.id, { status })
    refresh('webhook')
    toast(status === 'active' ? texts.resumed : texts.disabled)
  })
  const test = useToastedAction(async () => {
    await testWebhook(webhook.id)
    refresh(`deliveries:${webhook.id}`)
    toast(texts.tested)
  })
  const rotate = useToastedAction(async () => rotated.open(await rotateSecret(webhook.id)))
  return (
    <>
      {webhook.status === 'active' ? (
        <button type="button" onClick={() => void test.run()} disabled={test.isBusy}>
          {texts.test}
        </button>
      ) : (
        <button type="button" class="primary" onClick={() => void set.run('active')}>
          {texts.resume}
        </button>
      )}
      <button type="button" onClick={edit}>
        {texts.edit}
      </button>
      <Menu label={common.actions}>
        <button type="button" onClick={() => void rotate.run()}>
          {texts.rotate}
        </button>
        <button type="button" onClick={recovery.open}>
          {texts.recover}
        </button>
        {webhook.status === 'active' && (
          <button type="button" onClick={() => void set.run('disabled')}>
            {texts.disable}
          </button>
        )}
        <button
          type="button"
          class="danger"
          onClick={() => {
            remove(webhook)
            route(to.webhooks())
          }}
        >
          {texts.remove}
        </button>
      </Menu>
      {rotated.about && (
        <Dialog title={texts.rotate} onClose={rotated.close}>
          <Secret label={texts.secret} value={rotated.about.secret} />
          <p class="quiet">{texts.rotatedUntil(dateTime(rotated.about.previousSecretExpiresAt))}</p>
        </Dialog>
      )}
      {recovery.isOpen && <RecoverDialog webhookId={webhook.id} onClose={recovery.close} />}
    </>
  )
}

function remove({ id }: Webhook): void {
  const { webhooks: texts } = t.value
  removeLater(id, {
    list: 'webhooks',
    text: texts.removed,
    commit: (keepalive) => deleteWebhook(id, keepalive),
    failed: texts.removeFailed,
  })
}
