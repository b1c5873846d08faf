import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface Common {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly error?: ComponentChildren
}

/** A signal that the control reads and writes, or a value and what to do with a new one. */
export type Bound<T> =
  | { readonly of: Signal<T>; readonly value?: undefined; readonly onValue?: undefined }
  | { readonly of?: undefined; readonly value: T; readonly onValue: (value: T) => void }

export function setTo<T>({ of, onValue }: Bound<T>, value: T): void {
  if (of) {
    of.value = value
  } else {
    onValue(value)
  }
}

/** A label, a control, a hint and an error. */
function Field({
  label,
  hint,
  error,
  children,
}: Common & { children: (own: ReturnType<typeof described>) => ComponentChildren }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(described(id, hint, error))}
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

function described(id: string, hint: Common['hint'], error: Common['error']) {
  const ids = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return { id, 'aria-invalid': error ? true : undefined, 'aria-describedby': ids || undefined }
}

interface Input extends Common {
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

export function TextField(props: Input & Bound<string>) {
  const { label, hint, error, of, value, onValue: _, ...rest } = props
  return (
    <Field label={label} hint={hint} error={error}>
      {(own) => (
        <input
          // The types of inputs are a union by `type`, which a type that is only known later is not.
          {...(rest as { type?: 'text' })}
          {...own}
          value={of ? of.value : value}
          onInput={(event) => setTo(props, event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

type Area = Common & { required?: boolean; maxLength?: number; rows?: number; class?: string }

export function TextArea(props: Area & Bound<string>) {
  const { label, hint, error, of, value, onValue: _, ...rest } = props
  return (
    <Field label={label} hint={hint} error={error}>
      {(own) => (
        <textarea
          {...rest}
          {...own}
          value={of ? of.value : value}
          onInput={(event) => setTo(props, event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

export function FileField({
  accept,
  onFile,
  ...field
}: Common & { accept: string; onFile: (file: File | null) => void }) {
  return (
    <Field {...field}>
      {(own) => (
        <input
          type="file"
          required
          accept={accept}
          {...own}
          onChange={(event) => onFile(event.currentTarget.files?.[0] ?? null)}
        />
      )}
    </Field>
  )
}

export interface Option<T extends string> {
  readonly value: T
  readonly label: string
}

/** The names of some values, as what can be chosen. */
export function optionsOf<T extends string>(
  values: readonly T[],
  names: Readonly<Record<T, string>>,
): readonly Option<T>[] {
  return values.map((value) => ({ value, label: names[value] }))
}

export function SelectField<T extends string>({
  label,
  hint,
  options,
  isBare,
  ...bound
}: Common &
  Bound<T> & {
    options: readonly Option<T>[]
    /** Without a visible label, where a row of filters explains itself. */
    isBare?: boolean
  }) {
  const select = (own: object) => (
    <select
      {...own}
      value={bound.of ? bound.of.value : bound.value}
      onChange={(event) => setTo(bound, event.currentTarget.value as T)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
  return isBare ? (
    select({ 'aria-label': label })
  ) : (
    <Field label={label} hint={hint}>
      {select}
    </Field>
  )
}

export function CheckField({
  label,
  isDisabled,
  ...bound
}: { label: ComponentChildren; isDisabled?: boolean } & Bound<boolean>) {
  return (
    <label class="check">
      <input
        type="checkbox"
        disabled={isDisabled}
        checked={bound.of ? bound.of.value : bound.value}
        onChange={(event) => setTo(bound, event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  )
}
