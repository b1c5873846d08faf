import { useEffect } from 'preact/hooks'
import { patch } from './cache.ts'
import { type Resource, type ResourceOptions, useResource } from './resource.ts'
import type { Page } from './types.ts'

interface Row {
  readonly id: string
}

/** The pages of a list read so far. */
export interface Rows<T> {
  readonly rows: readonly T[]
  readonly nextCursor: string | null
}

export interface List<T> extends Resource<Rows<T>> {
  /** Reads the next page; null when there is none. */
  readonly more: (() => Promise<void>) | null
}

export type LoadPage<T> = (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>

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

function append<T extends Row>(known: Rows<T>, { data, nextCursor }: Page<T>): Rows<T> {
  return { rows: [...known.rows, ...data], nextCursor }
}

/** New rows come on top of the known ones, unless so many came that there is a gap between. */
export function merge<T extends Row>(page: Page<T>, known: Rows<T> | undefined): Rows<T> {
  const ids = new Set(page.data.map(({ id }) => id))
  const overlap = known?.rows.findLastIndex(({ id }) => ids.has(id)) ?? -1
  if (!known || overlap === -1) {
    return { rows: page.data, nextCursor: page.nextCursor }
  }
  const older = known.rows.slice(overlap + 1)
  if (older.length === 0) {
    return { rows: page.data, nextCursor: page.nextCursor }
  }
  return { rows: [...page.data, ...older], nextCursor: known.nextCursor }
}
