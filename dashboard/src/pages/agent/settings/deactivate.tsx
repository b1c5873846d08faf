import { useSignal } from '@preact/signals'
import { useAction } from '../../../api/action.ts'
import { deactivateAgent } from '../../../api/agents.ts'
import { refresh } from '../../../api/cache.ts'
import type { Agent } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { Dialog, DialogForm, useOpened } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { refreshAgent } from '../data.ts'

/** Final, and never by accident: the one action that asks for more than a click. */
export function Deactivate({ agent }: { agent: Agent }) {
  const { settings: texts } = t.value
  const { isOpen, open, close } = useOpened()
  return (
    <>
      <button type="button" class="danger" onClick={open}>
        {texts.deactivate}
      </button>
      {isOpen && <DeactivateDialog agent={agent} onClose={close} />}
    </>
  )
}

function DeactivateDialog({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const { settings: texts } = t.value
  const typed = useSignal('')
  const deactivate = useAction(async () => {
    await deactivateAgent(agent.id)
    onClose()
    refresh('agents', `credentials:${agent.id}`)
    refreshAgent(agent.id)
    toast(texts.deactivated)
  })
  return (
    <Dialog title={texts.deactivate} onClose={onClose}>
      <DialogForm
        label={texts.deactivate}
        isDanger
        action={deactivate}
        isDisabled={typed.value !== agent.displayName}
        onCancel={onClose}
      >
        <p>{texts.deactivateLead}</p>
        <TextField label={texts.deactivateAsk(agent.displayName)} autoComplete="off" of={typed} />
      </DialogForm>
    </Dialog>
  )
}
