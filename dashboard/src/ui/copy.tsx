import { useSignal } from '@preact/signals'
import { useContext, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../messages/index.ts'
import { Uncopied } from './dialog.tsx'
import { Icon } from './icon.tsx'

/** How long it says that it was done. */
const SAID_MS = 2_000

export function Copy({
  text,
  label,
  onCopied,
}: {
  text: string
  label?: string
  onCopied?: () => void
}) {
  const isDone = useSignal(false)
  const { common } = t.value
  const run = async () => {
    if (!(await copyText(text))) {
      return
    }
    isDone.value = true
    onCopied?.()
    setTimeout(() => {
      isDone.value = false
    }, SAID_MS)
  }
  return (
    <button type="button" onClick={run}>
      <Icon name={isDone.value ? 'check' : 'copy'} />
      <span aria-live="polite">{isDone.value ? common.copied : (label ?? common.copy)}</span>
    </button>
  )
}

/** The clipboard is kept from pages served over plain http, where a selection still can be copied. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    ;(document.querySelector('dialog[open]') ?? document.body).append(field)
    field.select()
    const isDone = document.execCommand('copy')
    field.remove()
    return isDone
  }
}

/** A key that is shown this once, whole at any width. A dialog keeps it until it is copied. */
export function Secret({ value, label }: { value: string; label: string }) {
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)
  const uncopied = useContext(Uncopied)
  const set = (isUncopied: boolean) => {
    if (uncopied) {
      uncopied.value = isUncopied
    }
  }
  useLayoutEffect(() => {
    set(true)
    if (uncopied) {
      // The form that had the focus is gone.
      ref.current?.querySelector('button')?.focus()
    }
    return () => set(false)
  }, [value])
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be drawn as one
    <div
      ref={ref}
      class="secret"
      role="group"
      aria-label={label}
      aria-describedby={id}
      onCopy={() => set(false)}
    >
      <div class="secret-head">
        <b>{label}</b>
        <Copy text={value} onCopied={() => set(false)} />
      </div>
      <code>{value}</code>
      <p class="quiet" id={id}>
        {t.value.common.shownOnce}
      </p>
    </div>
  )
}

/** A command to paste into a terminal. */
export function Command({ text, label }: { text: string; label: string }) {
  return (
    <div class="command">
      <div class="secret-head">
        <b>{label}</b>
        <Copy text={text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by keys */}
      <pre tabIndex={0}>{text}</pre>
    </div>
  )
}
