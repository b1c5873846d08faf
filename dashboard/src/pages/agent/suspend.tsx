import { useSignal } from '@preact/signals'
import { useAction } from '../../api/action.ts'
import { setAgentStatus } from '../../api/operator.ts'
import type { Agent } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { Dialog, DialogForm, useOpened } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { toast } from '../../ui/toasts.tsx'
import { refreshAgent } from './data.ts'

const REASON_MAX = 500

/** The operator suspends an agent, or lets it continue, with a reason for the audit log. */
export function SuspendButton({ agent }: { agent: Agent }) {
  const { suspension: texts } = t.value
  const { isOpen, open, close } = useOpened()
  if (agent.status === 'deactivated') {
    return null
  }
  const isSuspended = agent.status === 'suspended'
  return (
    <>
      <button type="button" class={isSuspended ? '' : 'danger'} onClick={open}>
        {isSuspended ? texts.resume : texts.suspend}
      </button>
      {isOpen && <SuspendDialog agent={agent} onClose={close} />}
    </>
  )
}

function SuspendDialog({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const { suspension: texts, common } = t.value
  const reason = useSignal('')
  const isSuspended = agent.status === 'suspended'
  const set = useAction(async () => {
    const status = isSuspended ? 'active' : 'suspended'
    await setAgentStatus(agent.id, { status, reason: reason.value.trim() })
    onClose()
    refreshAgent(agent.id)
    toast(isSuspended ? texts.resumed : texts.suspended)
  })
  const name = isSuspended ? texts.resume : texts.suspend
  return (
    <Dialog title={name} onClose={onClose}>
      <DialogForm label={name} action={set} onCancel={onClose}>
        <p class="quiet">{isSuspended ? texts.resumeLead : texts.suspendLead}</p>
        <TextArea label={common.reason} required maxLength={REASON_MAX} of={reason} />
      </DialogForm>
    </Dialog>
  )
}
