import { useEffect, useLayoutEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'

/** How far down each page was when it was left. */
const places = new Map<string, number>()

/** Keeps the scroll position of a page for the way back. */
export function usePlace(isReady: boolean): void {
  const location = useLocation()
  const { path } = location
  const { wasPush } = location as { wasPush?: boolean }
  useEffect(() => {
    const note = () => places.set(path, scrollY)
    addEventListener('scroll', note, { passive: true })
    return () => removeEventListener('scroll', note)
  }, [path])
  useLayoutEffect(() => {
    const place = places.get(path)
    if (isReady && !wasPush && place !== undefined) {
      scrollTo(0, place)
    }
  }, [path, isReady, wasPush])
}
