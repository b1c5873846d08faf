import { useSignal } from '@preact/signals'
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
import { Dialog } from '../../ui/dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { messageOf } from '../../ui/states.tsx'
import { later, toast } from '../../ui/toasts.tsx'
import { RecoverDialog } from './recover.tsx'

export function WebhookActions({ webhook, edit }: { webhook: Webhook; edit: () => void }) {
  const { webhooks: texts, common } = t.value
  const { route } = useLocation()
  const rotated = useSignal<Awaited<ReturnType<typeof rotateSecret>> | null>(null)
  const isRecovering = useSignal(false)
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
  const rotate = async () => {
    try {
      rotated.value = await rotateSecret(webhook.id)
    } catch (error) {
      toast(messageOf(error), 'bad')
    }
  }
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
        <button type="button" onClick={() => void rotate()}>
          {texts.rotate}
        </button>
        <button
          type="button"
          onClick={() => {
            isRecovering.value = true
          }}
        >
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
      {rotated.value && (
        <Dialog
          title={texts.rotate}
          isFirm
          onClose={() => {
            rotated.value = null
          }}
        >
          <Secret label={texts.secret} value={rotated.value.secret} />
          <p class="quiet">{texts.rotatedUntil(dateTime(rotated.value.previousSecretExpiresAt))}</p>
        </Dialog>
      )}
      {isRecovering.value && (
        <RecoverDialog
          webhookId={webhook.id}
          onClose={() => {
            isRecovering.value = false
          }}
        />
      )}
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
