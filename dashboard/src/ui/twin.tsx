import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { t } from '../messages/index.ts'

/** The table of a chart, which is made when it is opened: a year has a thousand rows. */
export function Twin({ children }: { children: () => ComponentChildren }) {
  const isOpen = useSignal(false)
  return (
    <details
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open
      }}
    >
      <summary>{t.value.common.asTable}</summary>
      {isOpen.value && children()}
    </details>
  )
}
