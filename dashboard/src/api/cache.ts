import { type Signal, signal } from '@preact/signals'
import { isOffline } from './client.ts'

/** What is known of something that is fetched. Older data stays while newer is on its way. */
export interface State<T> {
  readonly data?: T
  readonly error?: unknown
  readonly isLoading: boolean
}

export type Load<T> = (signal: AbortSignal, known: T | undefined) => Promise<T>

export interface Entry<T> {
  readonly key: string
  readonly state: Signal<State<T>>
  load: Load<T>
  loadedAt: number
  controller: AbortController | null
  /** It has changed since the request under way was sent, whose answer may be older. */
  isBehind: boolean
  users: number
}

/** Enough to go back through a long visit; unused entries are dropped first. */
const ENTRIES_MAX = 300

const entries = new Map<string, Entry<unknown>>()

export function entryOf<T>(key: string, load: Load<T>): Entry<T> {
  const known = entries.get(key) as Entry<T> | undefined
  if (known) {
    known.load = load
    return known
  }
  const state = signal<State<T>>({ isLoading: true })
  const entry: Entry<T> = {
    key,
    state,
    load,
    loadedAt: 0,
    controller: null,
    isBehind: false,
    users: 0,
  }
  entries.set(key, entry as Entry<unknown>)
  trim()
  return entry
}

function trim(): void {
  for (const [key, { users }] of entries) {
    if (entries.size <= ENTRIES_MAX) {
      return
    }
    if (users === 0) {
      entries.delete(key)
    }
  }
}

/** Fetches it, unless that is under way. */
export async function fetchEntry<T>(entry: Entry<T>): Promise<void> {
  if (entry.controller) {
    return
  }
  const controller = new AbortController()
  entry.controller = controller
  entry.isBehind = false
  if (!entry.state.peek().isLoading) {
    entry.state.value = { ...entry.state.peek(), isLoading: true }
  }
  try {
    const data = await entry.load(controller.signal, entry.state.peek().data)
    if (controller.signal.aborted) {
      return
    }
    entry.loadedAt = Date.now()
    entry.state.value = { data, isLoading: false }
  } catch (error) {
    if (controller.signal.aborted) {
      return
    }
    const { data } = entry.state.peek()
    entry.state.value = { ...(data === undefined ? {} : { data }), error, isLoading: false }
  } finally {
    if (entry.controller === controller) {
      entry.controller = null
      if (entry.isBehind) {
        void fetchEntry(entry)
      }
    }
  }
}

/** A component is gone. The request is aborted when no other component uses it. */
export function release<T>(entry: Entry<T>): void {
  entry.users--
  if (entry.users > 0) {
    return
  }
  entry.controller?.abort()
  entry.controller = null
}

/** Marks entries as outdated. Those in use are fetched again now, the others when next used. */
export function refresh(...prefixes: readonly string[]): void {
  for (const [key, entry] of entries) {
    if (!prefixes.some((prefix) => key.startsWith(prefix))) {
      continue
    }
    entry.loadedAt = 0
    entry.isBehind = true
    if (entry.users > 0) {
      void fetchEntry(entry)
    }
  }
}

/** Changes what is known before the service confirms it. */
export function patch<T>(key: string, change: (data: T) => T): void {
  const entry = entries.get(key) as Entry<T> | undefined
  const data = entry?.state.peek().data
  if (entry && data !== undefined) {
    entry.state.value = { ...entry.state.peek(), data: change(data) }
  }
}

/** For a new session: nothing of the one before is kept. */
export function forgetAll(): void {
  for (const entry of entries.values()) {
    entry.controller?.abort()
  }
  entries.clear()
}

// Requests that failed without a connection are repeated when it is back.
isOffline.subscribe((offline) => {
  if (!offline) {
    for (const entry of entries.values()) {
      if (entry.users > 0 && entry.state.peek().error !== undefined) {
        void fetchEntry(entry)
      }
    }
  }
})
