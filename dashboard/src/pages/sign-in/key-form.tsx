import { useSignal } from '@preact/signals'
import { submits, useAction } from '../../api/action.ts'
import { tryKey } from '../../api/auth.ts'
import { ApiError } from '../../api/error.ts'
import { t } from '../../messages/index.ts'
import { signIn } from '../../session/enter.ts'
import { TextField } from '../../ui/field.tsx'
import { FormError } from '../../ui/states.tsx'

/** What a key is for shows in how it begins. */
const KINDS = { avo_: 'operator', avp_: 'platform' } as const

export function KeyForm({ initial }: { initial: string }) {
  const { session } = t.value
  const key = useSignal(initial)
  const enter = useAction(async () => {
    const text = key.value.trim()
    const kind = KINDS[text.slice(0, 4) as keyof typeof KINDS]
    if (!kind) {
      throw new Error(text.startsWith('avs_') ? session.keyIsAgent : session.keyIsUnknown)
    }
    try {
      signIn(await tryKey(kind, text))
    } catch (error) {
      throw error instanceof ApiError && error.status === 401 ? new Error(session.keyWrong) : error
    }
  })
  return (
    <form onSubmit={submits(enter)}>
      <TextField
        label={session.key}
        hint={session.keyHint}
        type="password"
        autoComplete="off"
        spellcheck={false}
        class="mono"
        required
        of={key}
      />
      <FormError error={enter.error} />
      <button class="primary" type="submit" disabled={enter.isBusy}>
        {session.signIn}
      </button>
    </form>
  )
}
