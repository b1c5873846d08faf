import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'

/** The width below which tables become lists (the styles use the same). */
export const NARROW = '(max-width: 44rem)'

export function useMedia(query: string): boolean {
  const media = useMemo(() => matchMedia(query), [query])
  const matches = useSignal(media.matches)
  useEffect(() => {
    const change = () => {
      matches.value = media.matches
    }
    // It may have changed since the first render; of that no event comes any more.
    change()
    media.addEventListener('change', change)
    return () => media.removeEventListener('change', change)
  }, [media, matches])
  return matches.value
}
