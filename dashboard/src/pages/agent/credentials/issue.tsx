import { useSignal } from '@preact/signals'
import { useAction } from '../../../api/action.ts'
import { refresh } from '../../../api/cache.ts'
import { issueCredential } from '../../../api/credentials.ts'
import { t } from '../../../messages/index.ts'
import { Dialog, DialogForm } from '../../../ui/dialog.tsx'
import { ExpiryField, expiresAtOf } from '../../../ui/expiry-field.tsx'
import { TextField } from '../../../ui/field.tsx'
import { JsonField, objectOf } from '../../../ui/json-field.tsx'
import { issueOf } from '../../../ui/said.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { refreshAgent } from '../data.ts'

export function IssueDialog({ agentId, onClose }: { agentId: string; onClose: () => void }) {
  const { credentials: texts } = t.value
  const type = useSignal('')
  const claims = useSignal('{\n  \n}')
  const expires = useSignal('')
  const issue = useAction(async () => {
    await issueCredential({
      agentId,
      type: type.value.trim(),
      claims: objectOf(claims.value),
      expiresAt: expiresAtOf(expires.value),
    })
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
        fields={['type', 'expiresAt']}
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
        <ExpiryField
          label={texts.expires}
          hint={texts.expiresHint}
          error={issue.error}
          of={expires}
        />
      </DialogForm>
    </Dialog>
  )
}
