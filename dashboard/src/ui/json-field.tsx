import type { Signal } from '@preact/signals'
import { TextArea } from './field.tsx'

/** A JSON object, as text. */
export function JsonField({
  wrong,
  of,
  ...field
}: {
  label: string
  hint: string
  /** The message while the text is not JSON. */
  wrong: string
  of: Signal<string>
}) {
  return (
    <TextArea class="mono" rows={5} {...field} error={objectOf(of.value) ? null : wrong} of={of} />
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
