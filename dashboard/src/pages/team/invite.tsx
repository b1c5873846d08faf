import { useSignal } from '@preact/signals'
import { inviteMember } from '../../api/account.ts'
import { useAction } from '../../api/action.ts'
import { refresh } from '../../api/cache.ts'
import { ROLES, type Role } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { Secret } from '../../ui/copy.tsx'
import { Dialog, DialogDone, DialogForm } from '../../ui/dialog.tsx'
import { optionsOf, SelectField, TextField } from '../../ui/field.tsx'
import { issueOf } from '../../ui/said.tsx'
import { toast } from '../../ui/toasts.tsx'

/** Invites a person. Where the service sends no mail, the link is shown to be passed on. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { team: texts, session } = t.value
  const email = useSignal('')
  const role = useSignal<Role>('member')
  const link = useSignal<string | null>(null)
  const invite = useAction(async () => {
    const made = await inviteMember({ email: email.value.trim(), role: role.value })
    refresh('invitations')
    if (made.link === null) {
      toast(texts.mailed(made.email))
      onClose()
    } else {
      link.value = made.link
    }
  })
  return (
    <Dialog title={texts.invite} onClose={onClose}>
      {link.value === null ? (
        <DialogForm label={texts.invite} action={invite} fields={['email']} onCancel={onClose}>
          <TextField
            label={session.email}
            type="email"
            required
            error={issueOf(invite.error, 'email')}
            of={email}
          />
          <SelectField<Role>
            label={texts.role}
            hint={texts.roleHints[role.value]}
            of={role}
            options={optionsOf(ROLES, texts.roles)}
          />
        </DialogForm>
      ) : (
        <>
          <p>{texts.linkLead(email.value.trim())}</p>
          <Secret label={texts.link} value={link.value} />
          <DialogDone onDone={onClose} />
        </>
      )}
    </Dialog>
  )
}
