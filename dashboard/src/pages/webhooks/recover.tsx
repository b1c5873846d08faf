import { useSignal } from '@preact/signals'
import { useAction } from '../../api/action.ts'
import { refresh } from '../../api/cache.ts'
import { recover } from '../../api/webhooks.ts'
import { DAY_MS, MINUTE_MS } from '../../durations.ts'
import { number } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toasts.tsx'

/** Sends again what could not be delivered since a time. */
export function RecoverDialog({ webhookId, onClose }: { webhookId: string; onClose: () => void }) {
  const { webhooks: texts } = t.value
  // A receiver that was down for a day is the usual case.
  const since = useSignal(localMinute(Date.now() - DAY_MS))
  const run = useAction(async () => {
    const { recovered } = await recover(webhookId, new Date(since.value).toISOString())
    refresh(`deliveries:${webhookId}`)
    toast(texts.recovered(number(recovered), recovered))
    onClose()
  })
  return (
    <Dialog title={texts.recover} onClose={onClose}>
      <DialogForm label={texts.resend} action={run} onCancel={onClose}>
        <TextField
          label={texts.recoverSince}
          type="datetime-local"
          required
          max={localMinute(Date.now())}
          of={since}
        />
      </DialogForm>
    </Dialog>
  )
}

/** A time as fields for it take it: of the reader's zone, without naming it. */
function localMinute(at: number): string {
  const offset = new Date(at).getTimezoneOffset() * MINUTE_MS
  return new Date(at - offset).toISOString().slice(0, 16)
}
