import { useSignal } from '@preact/signals'
import { useAction } from '../../../api/action.ts'
import { refresh } from '../../../api/cache.ts'
import { discardReports } from '../../../api/operator.ts'
import type { Platform } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { DialogForm } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toasts.tsx'

/** It concerns every agent and cannot be undone, so the operator types the name of the platform. */
export function DiscardForm({ platform, onDone }: { platform: Platform; onDone: () => void }) {
  const { platforms: texts } = t.value
  const typed = useSignal('')
  const reason = useSignal('')
  const discard = useAction(async () => {
    await discardReports(platform.id, reason.value.trim())
    onDone()
    refresh('platforms')
    toast(texts.discarded)
  })
  return (
    <DialogForm
      label={texts.discard}
      isDanger
      action={discard}
      isDisabled={typed.value.trim() !== platform.name || reason.value.trim() === ''}
      onCancel={onDone}
    >
      <p>{texts.discardLead(platform.name)}</p>
      <TextField label={texts.discardReason} autoComplete="off" of={reason} />
      <TextField label={texts.discardAsk(platform.name)} autoComplete="off" of={typed} />
    </DialogForm>
  )
}
