import { useSignal } from '@preact/signals'
import { submits, useAction } from '../../api/action.ts'
import { requestPasswordReset } from '../../api/auth.ts'
import type { AuthOptions } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { TextField } from '../../ui/field.tsx'
import { issueOf } from '../../ui/said.tsx'
import { FormError } from '../../ui/states.tsx'

/** Asks for a link to a new password, or says who can make one where the service sends no mail. */
export function ResetForm({ ways, onBack }: { ways: AuthOptions; onBack: () => void }) {
  const { session } = t.value
  const email = useSignal('')
  const isSent = useSignal(false)
  const ask = useAction(async () => {
    await requestPasswordReset(email.value.trim())
    isSent.value = true
  })
  const back = (
    <p>
      <button type="button" class="link" onClick={onBack}>
        {session.backToSignIn}
      </button>
    </p>
  )
  if (!ways.mail || isSent.value) {
    return (
      <div role="status">
        <h2>{session.forgotTitle}</h2>
        <p>{ways.mail ? session.resetSent(email.value.trim()) : session.noMail}</p>
        {back}
      </div>
    )
  }
  return (
    <form onSubmit={submits(ask)}>
      <h2>{session.forgotTitle}</h2>
      <TextField
        label={session.email}
        type="email"
        autoComplete="username"
        hint={session.resetHint}
        required
        error={issueOf(ask.error, 'email')}
        of={email}
      />
      <FormError error={ask.error} fields={['email']} />
      <button class="primary" type="submit" disabled={ask.isBusy}>
        {session.sendReset}
      </button>
      {back}
    </form>
  )
}
