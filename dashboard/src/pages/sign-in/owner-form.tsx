import { useSignal } from '@preact/signals'
import { submits, useAction } from '../../api/action.ts'
import { type AccountInput, openSession, register } from '../../api/auth.ts'
import type { AuthOptions } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { signIn } from '../../session/enter.ts'
import { TextField } from '../../ui/field.tsx'
import { issueOf } from '../../ui/said.tsx'
import { FormError } from '../../ui/states.tsx'

const PASSWORD_MIN = 12
const PASSWORD_MAX = 128

/** Signing in, or a new account: the same fields except for the name. */
export function OwnerForm({ ways, onForgotten }: { ways: AuthOptions; onForgotten: () => void }) {
  const { session } = t.value
  const isNew = useSignal(false)
  const account = useSignal<AccountInput>({ email: '', password: '' })
  const name = useSignal('')
  const enter = useAction(async () => {
    const trimmed = name.value.trim()
    const work = isNew.value
      ? register({ ...account.value, ...(trimmed ? { name: trimmed } : {}) })
      : openSession(account.value)
    signIn(await work)
  })
  const set = (change: Partial<AccountInput>) => {
    account.value = { ...account.value, ...change }
  }
  return (
    <form onSubmit={submits(enter)}>
      {isNew.value && (
        <TextField label={session.nameOptional} autoComplete="name" maxLength={100} of={name} />
      )}
      <TextField
        label={session.email}
        type="email"
        autoComplete="username"
        required
        error={issueOf(enter.error, 'email')}
        value={account.value.email}
        onValue={(email) => set({ email })}
      />
      <TextField
        label={session.password}
        type="password"
        autoComplete={isNew.value ? 'new-password' : 'current-password'}
        required
        {...(isNew.value
          ? { minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX, hint: session.passwordHint }
          : {})}
        error={issueOf(enter.error, 'password')}
        value={account.value.password}
        onValue={(password) => set({ password })}
      />
      <FormError error={enter.error} fields={['email', 'password']} />
      <button class="primary" type="submit" disabled={enter.isBusy}>
        {isNew.value ? session.create : session.signIn}
      </button>
      {!isNew.value && (
        <p>
          <button type="button" class="link" onClick={onForgotten}>
            {session.forgot}
          </button>
        </p>
      )}
      {ways.registration === 'open' ? (
        <p class="quiet">
          {isNew.value ? session.haveAccount : session.noAccount}{' '}
          <button
            type="button"
            class="link"
            onClick={() => {
              isNew.value = !isNew.value
              enter.clear()
            }}
          >
            {isNew.value ? session.signIn : session.create}
          </button>
        </p>
      ) : (
        <p class="quiet">{session.registration[ways.registration]}</p>
      )}
    </form>
  )
}
