import { useSignal } from '@preact/signals'
import { useAction } from '../../../api/action.ts'
import { refresh } from '../../../api/cache.ts'
import { issueCredential } from '../../../api/credentials.ts'
import { issueOf } from '../../../api/error.ts'
import { DAY_MS } from '../../../durations.ts'
import { t } from '../../../messages/index.ts'
import { Dialog, DialogForm } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { JsonField, objectOf } from '../../../ui/json-field.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { refreshAgent } from '../data.ts'

export function IssueDialog({ agentId, onClose }: { agentId: string; onClose: () => void }) {
  const { credentials: texts } = t.value
  const type = useSignal('')
  const claims = useSignal('{\n  \n}')
  const expires = useSignal('')
  const issue = useAction(async () => {
    // The end of the day named, in the reader's zone.
    const expiresAt = expires.value ? new Date(`${expires.value}T23:59:59`).toISOString() : null
    const body = { agentId, type: type.value.trim(), claims: objectOf(claims.value), expiresAt }
    await issueCredential(body)
    refresh(`credentials:${agentId}`)
    refreshAgent(agentId)
    toast(texts.issuedToast)
    onClose()
  })
  return (
    <Dialog title={texts.issue} onClose={onClose}>
      <DialogForm
        label={texts.issue}
        action={issue}
        isDisabled={objectOf(claims.value) === null}
        onCancel={onClose}
      >
        <TextField
          label={texts.type}
          hint={texts.typeHint}
          required
          maxLength={100}
          error={issueOf(issue.error, 'type')}
          of={type}
        />
        <JsonField
          label={texts.claims}
          hint={texts.claimsHint}
          wrong={texts.claimsWrong}
          of={claims}
        />
        <TextField
          label={texts.expires}
          hint={texts.expiresHint}
          type="date"
          min={new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)}
          error={issueOf(issue.error, 'expiresAt')}
          of={expires}
        />
      </DialogForm>
    </Dialog>
  )
}
