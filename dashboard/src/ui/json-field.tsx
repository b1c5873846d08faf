import { TextArea } from './field.tsx'

/** A JSON object, as text. */
export function JsonField({
  label,
  hint,
  wrong,
  value,
  onValue,
}: {
  label: string
  hint: string
  wrong: string
  value: string
  onValue: (value: string) => void
}) {
  return (
    <TextArea
      class="mono"
      rows={5}
      label={label}
      hint={hint}
      error={objectOf(value) ? null : wrong}
      value={value}
      onValue={onValue}
    />
  )
}

/** The object that a text is, or null. */
export function objectOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
