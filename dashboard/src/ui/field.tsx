import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

/** A label, a control, what to know about it and what is wrong with it. */
function Field({
  id,
  label,
  hint,
  error,
  children,
}: {
  id: string
  label: string
  hint?: ComponentChildren
  error?: string | null | undefined
  children: ComponentChildren
}) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint && (
        <p class="field-hint quiet" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

interface Common {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly error?: string | null | undefined
}

function described(id: string, { hint, error }: Common) {
  const ids = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return { 'aria-invalid': error ? true : undefined, 'aria-describedby': ids || undefined }
}

interface Input extends Common {
  readonly value: string
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'date' | 'datetime-local'
  readonly autoComplete?: string
  readonly placeholder?: string
  readonly class?: string
  readonly required?: boolean
  readonly spellcheck?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly min?: number | string
  readonly max?: number | string
  readonly step?: number | 'any'
}

export function TextField({
  label,
  hint,
  error,
  onValue,
  ...rest
}: Input & { onValue: (value: string) => void }) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <input
        // The types of inputs are a union by `type`, which a type that is only known later is not.
        {...(rest as { type?: 'text' })}
        id={id}
        {...described(id, { label, hint, error })}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </Field>
  )
}

export function TextArea({
  label,
  hint,
  error,
  value,
  onValue,
  ...rest
}: Common & {
  value: string
  onValue: (value: string) => void
  required?: boolean
  maxLength?: number
  rows?: number
  class?: string
}) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <textarea
        {...rest}
        id={id}
        value={value}
        {...described(id, { label, hint, error })}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </Field>
  )
}

export function FileField({
  label,
  hint,
  error,
  accept,
  onFile,
}: Common & { accept: string; onFile: (file: File | null) => void }) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <input
        type="file"
        id={id}
        required
        accept={accept}
        {...described(id, { label, hint, error })}
        onChange={(event) => onFile(event.currentTarget.files?.[0] ?? null)}
      />
    </Field>
  )
}

export interface Option<T extends string> {
  readonly value: T
  readonly label: string
}

export function SelectField<T extends string>({
  label,
  hint,
  value,
  options,
  onValue,
  isBare,
}: Common & {
  value: T
  options: readonly Option<T>[]
  onValue: (value: T) => void
  /** Without a visible label, where a row of filters explains itself. */
  isBare?: boolean
}) {
  const id = useId()
  const select = (
    <select
      id={id}
      value={value}
      aria-label={isBare ? label : undefined}
      aria-describedby={hint ? `${id}-hint` : undefined}
      onChange={(event) => onValue(event.currentTarget.value as T)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
  if (isBare) {
    return select
  }
  return (
    <Field id={id} label={label} hint={hint}>
      {select}
    </Field>
  )
}

export function CheckField({
  label,
  checked,
  onValue,
}: {
  label: ComponentChildren
  checked: boolean
  onValue: (checked: boolean) => void
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onValue(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  )
}
