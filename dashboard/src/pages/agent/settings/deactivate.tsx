import { useSignal } from '@preact/signals'
import { useAction } from '../../../api/action.ts'
import { deactivateAgent } from '../../../api/agents.ts'
import { refresh } from '../../../api/cache.ts'
import type { Agent } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { Dialog, DialogForm } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { refreshAgent } from '../data.ts'

/** Final, and never by accident: the one action that asks for more than a click. */
export function Deactivate({ agent }: { agent: Agent }) {
  const { settings: texts } = t.value
  const isOpen = useSignal(false)
  const typed = useSignal('')
  const close = () => {
    isOpen.value = false
    typed.value = ''
  }
  const deactivate = useAction(async () => {
    await deactivateAgent(agent.id)
    close()
    refresh('agents', `credentials:${agent.id}`)
    refreshAgent(agent.id)
    toast(texts.deactivated)
  })
  return (
    <>
      <button
        type="button"
        class="danger"
        onClick={() => {
          isOpen.value = true
        }}
      >
        {texts.deactivate}
      </button>
      {isOpen.value && (
        <Dialog title={texts.deactivate} onClose={close}>
          <DialogForm
            label={texts.deactivate}
            isDanger
            action={deactivate}
            isDisabled={typed.value !== agent.displayName}
            onCancel={close}
          >
            <p>{texts.deactivateLead}</p>
            <TextField
              label={texts.deactivateAsk(agent.displayName)}
              autoComplete="off"
              of={typed}
            />
          </DialogForm>
        </Dialog>
      )}
    </>
  )
}
