import { useEffect, useLayoutEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'

/** How far down each page was when it was left. */
const positions = new Map<string, number>()

/** Keeps the scroll position of a page for the way back. */
export function useScrollPosition(isReady: boolean): void {
  const location = useLocation()
  const { path } = location
  const { wasPush } = location as { wasPush?: boolean }
  useEffect(() => {
    const note = () => positions.set(path, scrollY)
    addEventListener('scroll', note, { passive: true })
    return () => removeEventListener('scroll', note)
  }, [path])
  useLayoutEffect(() => {
    const position = positions.get(path)
    if (isReady && !wasPush && position !== undefined) {
      scrollTo(0, position)
    }
  }, [path, isReady, wasPush])
}
