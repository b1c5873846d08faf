import type { Signal } from '@preact/signals'
import { issueOf } from '../../api/error.ts'
import { t } from '../../messages/index.ts'
import { TextField } from '../../ui/field.tsx'

/** As long as the service takes. */
const NAME_MAX = 100

/** What people call an agent. */
export function NameField({
  hint,
  error,
  of,
}: {
  hint?: string
  /** Of the request that sent the name. */
  error: unknown
  of: Signal<string>
}) {
  return (
    <TextField
      label={t.value.common.name}
      hint={hint}
      required
      maxLength={NAME_MAX}
      autoComplete="off"
      error={issueOf(error, 'displayName')}
      of={of}
    />
  )
}
