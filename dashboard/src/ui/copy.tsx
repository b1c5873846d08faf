import { useSignal } from '@preact/signals'
import { t } from '../messages/index.ts'
import { Icon } from './icon.tsx'

/** How long it says that it was done. */
const SAID_MS = 2_000

export function Copy({ text, label }: { text: string; label?: string }) {
  const isDone = useSignal(false)
  const { common } = t.value
  const run = async () => {
    if (!(await copyText(text))) {
      return
    }
    isDone.value = true
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

/** A key that is shown this once, whole at any width. */
export function Secret({ value, label }: { value: string; label: string }) {
  return (
    <div class="secret">
      <div class="secret-head">
        <b>{label}</b>
        <Copy text={value} />
      </div>
      <code>{value}</code>
      <p class="quiet">{t.value.common.shownOnce}</p>
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
