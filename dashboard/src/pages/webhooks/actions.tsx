import { useLocation } from 'preact-iso/router'
import { useAction } from '../../api/action.ts'
import { patch, refresh } from '../../api/cache.ts'
import type { Rows } from '../../api/list.ts'
import type { Webhook } from '../../api/types.ts'
import { deleteWebhook, rotateSecret, testWebhook, updateWebhook } from '../../api/webhooks.ts'
import { dateTime } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { to } from '../../paths.ts'
import { Secret } from '../../ui/copy.tsx'
import { Dialog, useChosen, useOpened } from '../../ui/dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { messageOf } from '../../ui/states.tsx'
import { useToastedAction } from '../../ui/toasted-action.ts'
import { later, toast } from '../../ui/toasts.tsx'
import { RecoverDialog } from './recover.tsx'

export function WebhookActions({ webhook, edit }: { webhook: Webhook; edit: () => void }) {
  const { webhooks: texts, common } = t.value
  const { route } = useLocation()
  const rotated = useChosen<Awaited<ReturnType<typeof rotateSecret>>>()
  const recovery = useOpened()
  const act = useAction(async (work: () => Promise<string>) => toast(await work()))
  const set = (status: 'active' | 'disabled') =>
    act.run(async () => {
      await updateWebhook(webhook.id, { status })
      refresh('webhook')
      return status === 'active' ? texts.resumed : texts.disabled
    })
  const test = () =>
    act.run(async () => {
      await testWebhook(webhook.id)
      refresh(`deliveries:${webhook.id}`)
      return texts.tested
    })
  const rotate = useToastedAction(async () => rotated.open(await rotateSecret(webhook.id)))
  return (
    <>
      {webhook.status === 'active' ? (
        <button type="button" onClick={() => void test()} disabled={act.isBusy}>
          {texts.test}
        </button>
      ) : (
        <button type="button" class="primary" onClick={() => void set('active')}>
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
          <button type="button" onClick={() => void set('disabled')}>
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
      {act.error !== undefined && <p class="field-error">{messageOf(act.error)}</p>}
      {rotated.about && (
        <Dialog title={texts.rotate} isFirm onClose={rotated.close}>
          <Secret label={texts.secret} value={rotated.about.secret} />
          <p class="quiet">{texts.rotatedUntil(dateTime(rotated.about.previousSecretExpiresAt))}</p>
        </Dialog>
      )}
      {recovery.isOpen && <RecoverDialog webhookId={webhook.id} onClose={recovery.close} />}
    </>
  )
}

function remove(webhook: Webhook): void {
  const { webhooks: texts } = t.value
  const change = (rows: (all: readonly Webhook[]) => readonly Webhook[]) =>
    patch<Rows<Webhook>>('webhooks', (known) => ({ ...known, rows: rows(known.rows) }))
  change((all) => all.filter(({ id }) => id !== webhook.id))
  later({
    text: texts.removed,
    commit: async (keepalive) => {
      await deleteWebhook(webhook.id, keepalive)
      refresh('webhooks')
    },
    undo: () => refresh('webhooks'),
    failed: (error) => texts.removeFailed(messageOf(error)),
  })
}
