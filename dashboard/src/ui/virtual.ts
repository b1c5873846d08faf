import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'

export interface Visible {
  /** The first row to render, and the first one not to. */
  readonly from: number
  readonly to: number
}

/** Rows rendered above and below the screen, so that a fast scroll finds them there. */
const OVERSCAN = 12

/** Which rows of a long list can be seen, where each has the same height and the page scrolls. */
export function useVisibleRows(count: number, rowHeight: number) {
  const ref = useRef<HTMLDivElement>(null)
  const visible = useSignal<Visible>({ from: 0, to: Math.min(count, 3 * OVERSCAN) })
  useLayoutEffect(() => {
    const measure = () => {
      const top = -(ref.current?.getBoundingClientRect().top ?? 0)
      const first = Math.floor(top / rowHeight) - OVERSCAN
      const from = Math.max(0, Math.min(count, first))
      const rows = Math.ceil(innerHeight / rowHeight) + 2 * OVERSCAN
      const to = Math.min(count, Math.max(0, first) + rows)
      const { from: f, to: t } = visible.peek()
      if (f !== from || t !== to) {
        visible.value = { from, to }
      }
    }
    measure()
    addEventListener('scroll', measure, { passive: true })
    addEventListener('resize', measure)
    return () => {
      removeEventListener('scroll', measure)
      removeEventListener('resize', measure)
    }
  }, [count, rowHeight, visible])
  return { ref, visible: visible.value }
}
