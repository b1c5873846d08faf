import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'

/** A button that opens a few actions below itself: a native popover, closed by Escape or a click. */
export function Menu({ label, children }: { label: string; children: ComponentChildren }) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const place = () => {
    const at = button.current?.getBoundingClientRect()
    if (!at || !list.current) {
      return
    }
    list.current.style.top = `${at.bottom + 4}px`
    list.current.style.right = `${document.documentElement.clientWidth - at.right}px`
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        class="icon-button"
        popovertarget={id}
        title={label}
        aria-label={label}
      >
        <Icon name="more" />
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a key on a button inside is a click as well */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only closes what a button inside did */}
      <div
        ref={list}
        id={id}
        popover="auto"
        class="menu"
        onBeforeToggle={place}
        onClick={() => list.current?.hidePopover()}
      >
        {children}
      </div>
    </>
  )
}
