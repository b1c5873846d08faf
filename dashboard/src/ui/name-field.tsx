import type { Signal } from '@preact/signals'
import { t } from '../messages/index.ts'
import { TextField } from './field.tsx'
import { issueOf } from './said.tsx'

/** As long as the service takes. */
const NAME_MAX = 100

/** The name of an agent, a key, a platform or an operator. */
export function NameField({
  hint,
  field = 'name',
  error,
  of,
}: {
  hint?: string
  /** The field of the request. */
  field?: 'name' | 'displayName'
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
      error={issueOf(error, field)}
      of={of}
    />
  )
}
