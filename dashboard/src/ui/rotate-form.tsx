import { useSignal } from '@preact/signals'
import { submits, useAction } from '../api/action.ts'
import type { RotatedKey } from '../api/types.ts'
import { dateTime } from '../messages/format.ts'
import { t } from '../messages/index.ts'
import { Secret } from './copy.tsx'
import { ShownOnce } from './dialog.tsx'
import { optionsOf, SelectField } from './field.tsx'
import { type KeyRecords, KeyUses } from './key-uses.tsx'
import { FormError } from './states.tsx'

/** How long a replaced key works on: long enough to bring the new one to where it is used. */
const OVERLAPS = { now: 0, hour: 3_600, day: 86_400, week: 604_800 } as const
type Overlap = keyof typeof OVERLAPS

/** A new key in place of another one, shown once. */
export function RotateForm({
  label,
  keys,
  rotate,
}: {
  label: string
  keys?: KeyRecords | undefined
  rotate: (overlapSeconds: number) => Promise<RotatedKey>
}) {
  const { settings: texts } = t.value
  const overlap = useSignal<Overlap>('hour')
  const rotated = useSignal<RotatedKey | null>(null)
  const run = useAction(async () => {
    rotated.value = await rotate(OVERLAPS[overlap.value])
  })
  if (rotated.value) {
    const done = () => {
      rotated.value = null
    }
    return (
      <ShownOnce title={texts.rotate} onDone={done}>
        <Secret label={label} value={rotated.value.apiKey} />
        <p class="quiet">{texts.oldUntil(dateTime(rotated.value.previousKeyExpiresAt))}</p>
      </ShownOnce>
    )
  }
  return (
    <form class="narrow-form" onSubmit={submits(run)}>
      {keys && <KeyUses keys={keys} />}
      <SelectField<Overlap>
        label={texts.overlap}
        of={overlap}
        options={optionsOf(Object.keys(OVERLAPS) as Overlap[], texts.overlaps)}
      />
      <FormError error={run.error} />
      <button type="submit" disabled={run.isBusy}>
        {texts.rotate}
      </button>
    </form>
  )
}
