import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'

export interface Shortcut {
  /** The key as a keyboard event names it. */
  readonly key: string
  readonly says: string
}

/** What keys do on the page at hand, for the list of them. */
export const shortcuts = signal<readonly Shortcut[]>([])

interface Bound extends Shortcut {
  run(event: KeyboardEvent): void
}

const bound: Bound[] = []

function show(): void {
  shortcuts.value = bound.map(({ key, says }) => ({ key, says }))
}

/** A single key does something as long as the component is there; the last one bound wins. */
export function useShortcut(
  key: string,
  says: string,
  run: (event: KeyboardEvent) => void,
  isOn = true,
): void {
  const latest = useRef(run)
  latest.current = run
  // Bound as soon as the page can be seen: a key is not pressed twice.
  useLayoutEffect(() => {
    if (!isOn) {
      return
    }
    const shortcut: Bound = { key, says, run: (event) => latest.current(event) }
    bound.push(shortcut)
    show()
    return () => {
      bound.splice(bound.indexOf(shortcut), 1)
      show()
    }
  }, [key, says, isOn])
}

addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) {
    return
  }
  if (isTyping(event.target) || document.querySelector('dialog[open]')) {
    return
  }
  const found = bound.findLast(({ key }) => key === event.key)
  if (!found) {
    return
  }
  event.preventDefault()
  found.run(event)
})

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) {
    return false
  }
  return target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)
}
