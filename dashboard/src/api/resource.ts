import { useEffect } from 'preact/hooks'
import { entryOf, fetchEntry, type Load, release, type State } from './cache.ts'

export interface Resource<T> extends State<T> {
  reload(): void
}

export interface ResourceOptions {
  /** Younger data is not fetched again when a page is opened. */
  readonly freshMs?: number
  /** Fetched again so often while the page is looked at. */
  readonly pollMs?: number | undefined
}

/** Going back and forth between pages costs no request. */
const FRESH_MS = 15_000

const IDLE = { isLoading: false, reload: () => {} } as const

/** Something fetched, shared by all who ask for the same key; given up when the last one leaves. */
export function useResource<T>(
  key: string | null,
  load: Load<T>,
  { freshMs = FRESH_MS, pollMs }: ResourceOptions = {},
): Resource<T> {
  const entry = key === null ? null : entryOf(key, load)
  useEffect(() => {
    if (!entry) {
      return
    }
    entry.users++
    if (Date.now() - entry.loadedAt > freshMs) {
      void fetchEntry(entry)
    }
    const stop = pollMs === undefined ? null : poll(() => void fetchEntry(entry), pollMs)
    return () => {
      stop?.()
      release(entry)
    }
  }, [entry, freshMs, pollMs])
  if (!entry) {
    return IDLE
  }
  return { ...entry.state.value, reload: () => void fetchEntry(entry) }
}

/** Polls while the page is visible. */
function poll(ask: () => void, ms: number): () => void {
  const timer = setInterval(() => {
    if (!document.hidden) {
      ask()
    }
  }, ms)
  return () => clearInterval(timer)
}
