import { useEffect, useRef } from 'preact/hooks'
import { refresh } from '../../api/cache.ts'
import { listEvents } from '../../api/events.ts'
import { useResource } from '../../api/resource.ts'
import { areLookupsScarce } from '../../session/session.ts'

/** Asking for the newest event costs no lookup. */
const POLL_MS = 5_000

/** A score read again costs one; where they are scarce, a busy agent is not followed each second. */
const SCARCE_MS = 60_000

/**
 * Keeps the pages about an agent up to date: when there is a new event, what follows from it is read
 * again. The history is not: its line goes on to the current score without that.
 */
export function useLive(id: string): void {
  const newest = useResource(
    `newest:${id}`,
    (signal) => listEvents(id, { limit: 1 }, undefined, signal),
    { freshMs: 0, pollMs: POLL_MS },
  )
  const newestId = newest.data?.data[0]?.id ?? (newest.data ? 'none' : undefined)
  const seen = useRef(newestId)
  const readAt = useRef(0)
  useEffect(() => {
    if (seen.current === undefined || newestId === undefined) {
      seen.current = newestId
      return
    }
    if (newestId === seen.current) {
      return
    }
    const read = () => {
      seen.current = newestId
      readAt.current = Date.now()
      refresh(
        ...['score', 'explanation', 'held', 'events'].map((part) => `${part}:${id}`),
        'scores',
      )
    }
    const waitMs = areLookupsScarce() ? readAt.current + SCARCE_MS - Date.now() : 0
    if (waitMs <= 0) {
      return read()
    }
    const timer = setTimeout(read, waitMs)
    return () => clearTimeout(timer)
  }, [id, newestId])
}
