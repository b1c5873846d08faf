import { useSignal } from '@preact/signals'
import { useAction } from '../../api/action.ts'
import { setAgentStatus } from '../../api/operator.ts'
import type { Agent } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { toast } from '../../ui/toasts.tsx'
import { refreshAgent } from './data.ts'

const REASON_MAX = 500

/** The operator suspends an agent, or lets it continue, with a reason for the audit log. */
export function SuspendButton({ agent }: { agent: Agent }) {
  const { suspension: texts, common } = t.value
  const isOpen = useSignal(false)
  const reason = useSignal('')
  const isSuspended = agent.status === 'suspended'
  const close = () => {
    isOpen.value = false
    reason.value = ''
  }
  const set = useAction(async () => {
    const status = isSuspended ? 'active' : 'suspended'
    await setAgentStatus(agent.id, { status, reason: reason.value.trim() })
    close()
    refreshAgent(agent.id)
    toast(isSuspended ? texts.resumed : texts.suspended)
  })
  if (agent.status === 'deactivated') {
    return null
  }
  const name = isSuspended ? texts.resume : texts.suspend
  return (
    <>
      <button
        type="button"
        class={isSuspended ? '' : 'danger'}
        onClick={() => {
          isOpen.value = true
        }}
      >
        {name}
      </button>
      {isOpen.value && (
        <Dialog title={name} onClose={close}>
          <DialogForm label={name} action={set} onCancel={close}>
            <p class="quiet">{isSuspended ? texts.resumeLead : texts.suspendLead}</p>
            <TextArea label={common.reason} required maxLength={REASON_MAX} of={reason} />
          </DialogForm>
        </Dialog>
      )}
    </>
  )
}
