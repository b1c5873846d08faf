import { useSignal } from '@preact/signals'
import { useAction } from '../../../api/action.ts'
import { refresh } from '../../../api/cache.ts'
import { issueCredential } from '../../../api/credentials.ts'
import { issueOf } from '../../../api/error.ts'
import { DAY_MS } from '../../../durations.ts'
import { t } from '../../../messages/index.ts'
import { Dialog, DialogFoot } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { JsonField, objectOf } from '../../../ui/json-field.tsx'
import { FormError } from '../../../ui/states.tsx'
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
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (objectOf(claims.value)) {
            void issue.run()
          }
        }}
      >
        <TextField
          label={texts.type}
          hint={texts.typeHint}
          required
          maxLength={100}
          error={issueOf(issue.error, 'type')}
          value={type.value}
          onValue={(value) => {
            type.value = value
          }}
        />
        <JsonField
          label={texts.claims}
          hint={texts.claimsHint}
          wrong={texts.claimsWrong}
          value={claims.value}
          onValue={(value) => {
            claims.value = value
          }}
        />
        <TextField
          label={texts.expires}
          hint={texts.expiresHint}
          type="date"
          min={new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)}
          error={issueOf(issue.error, 'expiresAt')}
          value={expires.value}
          onValue={(value) => {
            expires.value = value
          }}
        />
        <FormError error={issue.error} />
        <DialogFoot label={texts.issue} isDisabled={issue.isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
