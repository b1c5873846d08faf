import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { t } from '../messages/index.ts'
import { useShortcut } from './shortcuts.ts'

interface Toast {
  readonly id: number
  readonly text: ComponentChildren
  readonly kind: 'fine' | 'bad'
  /** What takes it back, and how long that is possible. */
  readonly undo?: () => void
  readonly seconds?: number
}

/** Long enough to read a line twice. */
const SHOWN_MS = 6_000

/** Long enough to see that it was the wrong row (design: undo rather than confirm). */
const UNDO_SECONDS = 10

const toasts = signal<readonly Toast[]>([])
let last = 0

export function toast(text: ComponentChildren, kind: Toast['kind'] = 'fine'): void {
  const id = ++last
  toasts.value = [...toasts.value, { id, text, kind }]
  setTimeout(() => drop(id), SHOWN_MS)
}

function drop(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id)
}

export interface Later {
  readonly text: string
  /** Done when the time is up, or at once when the page is left. */
  commit(keepalive: boolean): Promise<unknown>
  /** Puts back what was shown before. */
  undo(): void
  /** What to say when it could not be done after all. */
  failed(error: unknown): ComponentChildren
}

const waiting = new Set<() => Promise<void>>()

/** Does something in ten seconds, unless it is taken back. Shown as done at once. */
export function later({ text, commit, undo, failed }: Later): void {
  const id = ++last
  let seconds = UNDO_SECONDS
  const stop = () => {
    clearInterval(timer)
    waiting.delete(leave)
    drop(id)
  }
  const finish = async (keepalive: boolean) => {
    stop()
    await commit(keepalive).catch((error: unknown) => {
      undo()
      toast(failed(error), 'bad')
    })
  }
  const leave = () => finish(true)
  const takeBack = () => {
    stop()
    undo()
  }
  const timer = setInterval(() => {
    seconds--
    if (seconds === 0) {
      void finish(false)
    } else {
      toasts.value = toasts.value.map((one) => (one.id === id ? { ...one, seconds } : one))
    }
  }, 1_000)
  waiting.add(leave)
  toasts.value = [...toasts.value, { id, text, kind: 'fine', undo: takeBack, seconds }]
}

/** Leaving the page is a decision as well: what waits is sent before the page is gone. */
export async function commitAll(): Promise<void> {
  await Promise.all([...waiting].map((leave) => leave()))
}
addEventListener('pagehide', () => void commitAll())

export function Toasts() {
  const { common, shortcuts } = t.value
  const undoable = toasts.value.findLast(({ undo }) => undo !== undefined)
  useShortcut('z', shortcuts.undo, () => undoable?.undo?.(), undoable !== undefined)
  return (
    <section class="toasts" aria-live="polite" aria-label={common.done}>
      {toasts.value.map(({ id, text, kind, undo, seconds }) => (
        <div key={id} class={`toast toast-${kind}`}>
          <span class="sentence">{text}</span>
          {undo && (
            <button type="button" class="link" onClick={undo} title={`${common.undo} (Z)`}>
              <span aria-hidden="true">{common.undoIn(seconds ?? 0)}</span>
              <span class="visually-hidden">{common.undo}</span>
            </button>
          )}
        </div>
      ))}
    </section>
  )
}
