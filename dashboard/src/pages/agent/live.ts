import { signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { refresh } from '../../api/cache.ts'
import { listEvents } from '../../api/events.ts'
import { useResource } from '../../api/resource.ts'
import { followEvents } from '../../api/stream.ts'
import { areLookupsScarce } from '../../session/session.ts'
import { refreshParts } from './data.ts'

/** Where events cannot be followed. Asking for the newest event costs no lookup. */
const POLL_MS = 5_000

/** A score read again costs one; where they are scarce, a busy agent is not followed each second. */
const SCARCE_MS = 60_000

/** Whether the service sends the events of the agent that is shown as they arrive. */
export const isStreaming = signal(false)

/** Whether the list of events shows new ones by itself: the reader may stop it. */
export const isFollowing = signal(true)

/**
 * Keeps the pages about an agent up to date: when something has changed, what follows from it is read
 * again. The history is not: its line extends to the current score without that.
 */
export function useLive(id: string): void {
  const changes = useSignal(0)
  const quarantined = useSignal(0)
  const newest = useResource(
    `newest:${id}`,
    (signal) => listEvents(id, { limit: 1 })(undefined, signal),
    { freshMs: 0, pollMs: isStreaming.value ? undefined : POLL_MS },
  )
  useEffect(() => {
    const stop = followEvents(id, {
      opened() {
        isStreaming.value = true
        // What came between the first look and the stream.
        newest.reload()
      },
      changed(isQuarantined) {
        changes.value++
        if (isQuarantined) {
          quarantined.value++
        }
      },
      lost() {
        isStreaming.value = false
      },
    })
    return stop
  }, [id])
  const first = newest.data?.data[0]
  const newestId = newest.data ? (first?.id ?? 'none') : undefined
  const quarantinedId = `${first?.isQuarantined ? first.id : ''} ${quarantined.value}`
  const state = newestId && `${newestId} ${changes.value}`
  useRefresh(id, { state, quarantinedId, isChanged: changes.value > 0 })
}

interface Seen {
  /** What all that is shown follows from; undefined is not known yet. */
  readonly state: string | undefined
  readonly quarantinedId: string
  /** Whether a change was announced since the page was opened, so that what it shows may be older. */
  readonly isChanged: boolean
}

/**
 * Reads again what belongs to an agent whenever its state changes.
 * Another quarantined event is worth a lookup at once: its owner has to see it.
 */
function useRefresh(id: string, { state, quarantinedId, isChanged }: Seen): void {
  const seen = useRef(state)
  const seenQuarantined = useRef(quarantinedId)
  const readAt = useRef(0)
  useEffect(() => {
    if (seen.current === undefined && !isChanged) {
      seen.current = state
    }
    if (state === undefined || state === seen.current) {
      return
    }
    if (isFollowing.peek()) {
      refresh(`events:${id}`)
    }
    const read = () => {
      seen.current = state
      seenQuarantined.current = quarantinedId
      readAt.current = Date.now()
      refreshParts(id, 'score', 'explanation', 'quarantined')
    }
    const maySave = areLookupsScarce() && quarantinedId === seenQuarantined.current
    const waitMs = maySave ? readAt.current + SCARCE_MS - Date.now() : 0
    if (waitMs <= 0) {
      return read()
    }
    const timer = setTimeout(read, waitMs)
    return () => clearTimeout(timer)
  }, [id, state, quarantinedId, isChanged])
}
