import { t } from '../messages/index.ts'

type StatusName = keyof typeof t.value.statuses

const TONES: Partial<Record<StatusName, 'fine' | 'warn' | 'bad' | 'quiet'>> = {
  active: 'fine',
  delivered: 'fine',
  verified: 'fine',
  paused: 'warn',
  pending: 'warn',
  throttled: 'warn',
  suspended: 'bad',
  failed: 'bad',
  revoked: 'bad',
  invalid: 'bad',
}

/** A state by its word; the tone of colour only repeats it. */
export function Status({ name }: { name: string }) {
  const { statuses } = t.value
  const isKnown = Object.hasOwn(statuses, name)
  const tone = isKnown ? (TONES[name as StatusName] ?? 'quiet') : 'quiet'
  return (
    <span class={`status status-${tone}`}>{isKnown ? statuses[name as StatusName] : name}</span>
  )
}
