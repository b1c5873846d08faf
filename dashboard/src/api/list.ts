import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { patch } from './cache.ts'
import { isOffline } from './client.ts'
import { append, merge, type Row, type Rows } from './merge.ts'
import type { LoadPage } from './pages.ts'
import { type Resource, type ResourceOptions, useResource } from './resource.ts'

export type { Row }

export interface List<T> extends Resource<Rows<T>> {
  /** Reads the next page; null when there is none. */
  readonly more: (() => Promise<void>) | null
}

/** A list of which pages are read as they are wanted. Reading again refreshes the first page. */
export function useList<T extends Row>(
  key: string | null,
  loadPage: LoadPage<T>,
  options?: ResourceOptions,
): List<T> {
  const resource = useResource<Rows<T>>(
    key,
    async (signal, known) => merge(await loadPage(undefined, signal), known),
    options,
  )
  const cursor = resource.data?.nextCursor ?? null
  const more = async () => {
    if (key === null || cursor === null) {
      return
    }
    const page = await loadPage(cursor, new AbortController().signal)
    patch<Rows<T>>(key, (known) => (known.nextCursor === cursor ? append(known, page) : known))
  }
  return { ...resource, more: cursor === null ? null : more }
}

/** Takes a row off a list before the service confirms it. */
export function dropRow(key: string, id: string): void {
  patch<Rows<Row>>(key, (known) => ({ ...known, rows: known.rows.filter((row) => row.id !== id) }))
}

/** Changes a row of a list before the service confirms it. */
export function changeRow(key: string, id: string, change: object): void {
  patch<Rows<Row>>(key, (known) => ({
    ...known,
    rows: known.rows.map((row) => (row.id === id ? { ...row, ...change } : row)),
  }))
}

/** Every page of a list, one after the other while the first ones are shown already. */
export function useWholeList<T extends Row>(key: string | null, loadPage: LoadPage<T>): List<T> {
  const list = useList(key, loadPage)
  const failure = useSignal<unknown>(undefined)
  const cursor = list.data?.nextCursor
  const mayRead = failure.value === undefined
  const readOn = () => {
    failure.value = undefined
  }
  useEffect(() => {
    if (cursor && mayRead) {
      void list.more?.().catch((error: unknown) => {
        failure.value = error
      })
    }
  }, [cursor, mayRead])
  // What failed without a connection goes on when it is back.
  useEffect(readOn, [isOffline.value])
  return mayRead ? list : { ...list, error: failure.value, reload: readOn }
}
