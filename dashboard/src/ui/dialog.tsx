import { type Signal, useSignal } from '@preact/signals'
import { type ComponentChildren, createContext } from 'preact'
import { useContext, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { type Action, submits } from '../api/action.ts'
import { t } from '../messages/index.ts'
import { Icon } from './icon.tsx'
import { FormError } from './states.tsx'

export interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  readonly isWide?: boolean
  /** One with a form that is filled in is not closed by a stray click. */
  readonly isFirm?: boolean
}

/** Opens a modal dialog for as long as it is rendered, and then gives back the focus. */
export function useModal() {
  const ref = useRef<HTMLDialogElement>(null)
  // Before the next key is pressed: what is typed at once goes into the dialog.
  useLayoutEffect(() => {
    const before = lastingFocus()
    const dialog = ref.current
    dialog?.showModal()
    // The first field, rather than the button that closes.
    dialog?.querySelector<HTMLElement>('input, textarea, select')?.focus()
    return () => {
      // Nothing outside can have the focus while it is open.
      dialog?.close()
      before?.focus()
    }
  }, [])
  return ref
}

/** Where the focus is; an action of a menu is gone with it, but not the button that opens the menu. */
function lastingFocus(): HTMLElement | null {
  const at = document.activeElement
  const menu = at?.closest('[popover]')
  return menu ? document.querySelector(`[popovertarget="${menu.id}"]`) : (at as HTMLElement | null)
}

/** Whether a dialog shows something once that has not been copied yet. */
export const Uncopied = createContext<Signal<boolean> | null>(null)

/**
 * A modal dialog for as long as it is rendered. The browser keeps the focus inside. What is shown in it once does not
 * get lost by accident: until it is copied, every way out asks first.
 */
export function Dialog({ title, onClose, children, isWide, isFirm }: DialogProps) {
  const ref = useModal()
  const id = useId()
  const uncopied = useSignal(false)
  /** What was asked for while something was not copied. */
  const asked = useSignal<(() => void) | null>(null)
  const leave = (go: () => void) => {
    if (uncopied.value) {
      asked.value = go
    } else {
      go()
    }
  }
  return (
    <dialog
      ref={ref}
      class={isWide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        leave(onClose)
      }}
      onClose={() => {
        // A browser closes it by itself where Escape is pressed twice.
        if (uncopied.value) {
          ref.current?.showModal()
        }
      }}
      onMouseDown={(event) => {
        if (event.target === ref.current && !isFirm) {
          leave(onClose)
        }
      }}
    >
      <div
        class="dialog-body"
        onClickCapture={(event) => {
          const way = (event.target as Element).closest<HTMLElement>(WAYS_OUT)
          if (way && uncopied.value) {
            event.preventDefault()
            event.stopPropagation()
            leave(() => {
              uncopied.value = false
              way.click()
            })
          }
        }}
      >
        <header class="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="quiet icon-button" data-leaves onClick={onClose}>
            <Icon name="close" />
            <span class="visually-hidden">{t.value.common.close}</span>
          </button>
        </header>
        <Uncopied.Provider value={uncopied}>{children}</Uncopied.Provider>
        {uncopied.value && asked.value && <NotCopied go={asked.value} />}
      </div>
    </dialog>
  )
}

/** Links that open beside the page lose nothing. */
const WAYS_OUT = 'a[href]:not([target]), [data-leaves]'

function NotCopied({ go }: { go: () => void }) {
  const { common } = t.value
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => ref.current?.scrollIntoView({ block: 'nearest' }), [go])
  return (
    <div ref={ref} class="banner banner-warn not-copied" role="alert">
      <span>{common.notCopied}</span>
      <button type="button" class="danger" onClick={go}>
        {common.closeUncopied}
      </button>
    </div>
  )
}

/** A button, and the dialog that it opens. */
export function DialogButton({
  label,
  class: name,
  children,
}: {
  label: string
  class?: string
  children: (close: () => void) => ComponentChildren
}) {
  const { isOpen, open, close } = useOpened()
  return (
    <>
      <button type="button" class={name} onClick={open}>
        {label}
      </button>
      {isOpen && children(close)}
    </>
  )
}

/** Whether a dialog is open. */
export function useOpened() {
  const isOpen = useSignal(false)
  return {
    isOpen: isOpen.value,
    open() {
      isOpen.value = true
    },
    close() {
      isOpen.value = false
    },
  }
}

/** What a dialog of a page is about; null while none is open. */
export function useChosen<T>() {
  const about = useSignal<T | null>(null)
  return {
    about: about.value,
    open(value: T) {
      about.value = value
    },
    close() {
      about.value = null
    },
  }
}

/** A form in a dialog: what to fill in, what was wrong, a way out, and what the form is for. */
export function DialogForm({
  label,
  action,
  isDanger,
  isDisabled,
  fields,
  onCancel,
  children,
}: {
  label: string
  action: Action<[], unknown>
  isDanger?: boolean
  isDisabled?: boolean
  /** The fields that show their own errors. */
  fields?: readonly string[]
  onCancel: () => void
  children?: ComponentChildren
}) {
  return (
    <form onSubmit={submits(action)}>
      {children}
      <FormError error={action.error} {...(fields ? { fields } : {})} />
      <div class="dialog-foot">
        <button type="button" onClick={onCancel}>
          {t.value.common.cancel}
        </button>
        <button
          type="submit"
          class={isDanger ? 'danger' : 'primary'}
          disabled={isDisabled || action.isBusy}
        >
          {label}
        </button>
      </div>
    </form>
  )
}

/** What is shown once. On a page it gets a dialog, which does not let it get lost; in one it stays there. */
export function ShownOnce({
  title,
  onDone,
  hasWayOn,
  children,
}: {
  title: string
  onDone: () => void
  /** Whether it ends with a link to what comes next. */
  hasWayOn?: boolean
  children: ComponentChildren
}) {
  if (useContext(Uncopied)) {
    return <>{children}</>
  }
  return (
    <Dialog title={title} onClose={onDone}>
      {children}
      {!hasWayOn && <DialogDone onDone={onDone} />}
    </Dialog>
  )
}

/** The end of a dialog that shows something once. */
export function DialogDone({ onDone }: { onDone: () => void }) {
  return (
    <div class="dialog-foot">
      <button type="button" class="primary" data-leaves onClick={onDone}>
        {t.value.common.done}
      </button>
    </div>
  )
}
