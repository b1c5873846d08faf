import { useEffect } from 'preact/hooks'
import { patch } from './cache.ts'
import { append, merge, type Read, type Row, type Rows } from './merge.ts'
import { type Resource, type ResourceOptions, useResource } from './resource.ts'

export type { Rows }

export interface List<T> extends Resource<Rows<T>> {
  /** Reads the next page; null when there is none. */
  readonly more: (() => Promise<void>) | null
}

export type LoadPage<T> = (cursor: string | undefined, signal: AbortSignal) => Promise<Read<T>>

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

/** Every page of a list, one after the other while the first ones are shown already. */
export function useWholeList<T extends Row>(key: string, loadPage: LoadPage<T>): List<T> {
  const list = useList(key, loadPage)
  const cursor = list.data?.nextCursor
  const { more } = list
  useEffect(() => {
    if (cursor) {
      void more?.().catch(() => {})
    }
  }, [cursor])
  return list
}
