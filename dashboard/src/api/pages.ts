import { type CallOptions, call } from './client.ts'
import type { Page } from './types.ts'

/** Reads a page of a list; the first one without a cursor. */
export type LoadPage<T> = (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>

export function pagesAt<T>(path: string, query: CallOptions['query'] = {}): LoadPage<T> {
  return (cursor, signal) => call('GET', path, { query: { cursor, ...query }, signal })
}
