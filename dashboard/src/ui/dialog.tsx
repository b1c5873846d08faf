import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { t } from '../messages/index.ts'
import { Icon } from './icon.tsx'

export interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  readonly isWide?: boolean
  /** One that holds a key shown once is not closed by a stray click. */
  readonly isFirm?: boolean
}

/** A modal dialog for as long as it is rendered. The browser keeps the focus inside. */
export function Dialog({ title, onClose, children, isWide, isFirm }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement
    ref.current?.showModal()
    // The first field, rather than the button that closes.
    ref.current?.querySelector<HTMLElement>('input, textarea, select')?.focus()
    return () => {
      if (before instanceof HTMLElement) {
        before.focus()
      }
    }
  }, [])
  return (
    <dialog
      ref={ref}
      class={isWide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onMouseDown={(event) => {
        if (event.target === ref.current && !isFirm) {
          onClose()
        }
      }}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="quiet icon-button" onClick={onClose}>
            <Icon name="close" />
            <span class="visually-hidden">{t.value.common.close}</span>
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}

/** The end of a form in a dialog: a way out, and what the form is for. */
export function DialogFoot({
  label,
  isDanger,
  isDisabled,
  onCancel,
}: {
  label: string
  isDanger?: boolean
  isDisabled: boolean
  onCancel: () => void
}) {
  return (
    <div class="dialog-foot">
      <button type="button" onClick={onCancel}>
        {t.value.common.cancel}
      </button>
      <button type="submit" class={isDanger ? 'danger' : 'primary'} disabled={isDisabled}>
        {label}
      </button>
    </div>
  )
}

/** The end of a dialog that shows something once. */
export function DialogDone({ onDone }: { onDone: () => void }) {
  return (
    <div class="dialog-foot">
      <button type="button" class="primary" onClick={onDone}>
        {t.value.common.done}
      </button>
    </div>
  )
}
