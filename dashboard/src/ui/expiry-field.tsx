import type { Signal } from '@preact/signals'
import { TextField } from './field.tsx'
import { issueOf } from './said.tsx'

/** The last day on which something is valid. */
export function ExpiryField({
  error,
  ...field
}: {
  label: string
  hint?: string
  /** Of the request that sent it. */
  error: unknown
  of: Signal<string>
}) {
  const today = new Date().toISOString().slice(0, 10)
  return <TextField {...field} type="date" min={today} error={issueOf(error, 'expiresAt')} />
}

/** The end of a day in the reader's zone; null without a day. */
export function expiresAtOf(day: string): string | null {
  return day === '' ? null : new Date(`${day}T23:59:59`).toISOString()
}
