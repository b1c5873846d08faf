import type { CallOptions, Method, Send, WriteOptions } from './call.ts'
import type { ByteStream } from './fetch.ts'
import type { CredentialKind } from './options.ts'
import { type Listing, listing, type Page } from './page.ts'
import type { Query } from './url.ts'

type Kinds = readonly CredentialKind[]

/** The shapes of calls. */
export interface Calls {
  readonly read: <T>(path: string, as: Kinds, options?: CallOptions, query?: Query) => Promise<T>
  /** As `list`, for what is few: every item of every page. */
  readonly readAll: <T>(path: string, as: Kinds, options?: CallOptions) => Promise<readonly T[]>
  /** As `read`, for an answer of JSON lines. */
  readonly readText: (
    path: string,
    as: Kinds,
    options?: CallOptions,
    query?: Query,
  ) => Promise<string>
  /** As `read`, for an answer of server-sent events, from behind this event on. */
  readonly open: (
    path: string,
    as: Kinds,
    lastEventId: string | undefined,
    options?: CallOptions,
  ) => Promise<ByteStream>
  /** A POST that only asks a question: repeatable by nature, so it goes without an Idempotency-Key. */
  readonly ask: <T>(path: string, as: Kinds, body: unknown, options?: CallOptions) => Promise<T>
  readonly post: Write
  readonly put: Write
  readonly patch: Write
  readonly remove: <T>(
    path: string,
    as: Kinds,
    options?: WriteOptions,
    body?: unknown,
  ) => Promise<T>
  readonly list: <T>(
    path: string,
    as: Kinds,
    query?: ListFilter,
    options?: CallOptions,
  ) => Listing<T>
}

type Write = <T>(path: string, as: Kinds, body: unknown, options?: WriteOptions) => Promise<T>

type ListFilter = Query & { readonly cursor?: string | undefined }

export function createCalls(send: Send): Calls {
  const read: Calls['read'] = (path, as, options, query) =>
    send({ method: 'GET', path, as, query, write: false, options })
  const write =
    (method: Exclude<Method, 'GET'>): Write =>
    (path, as, body, options) =>
      send({ method, path, as, body, write: true, options })
  const remove = write('DELETE')
  function list<T>(path: string, as: Kinds, query?: ListFilter, options?: CallOptions): Listing<T> {
    const fetchPage = (cursor: string | undefined) =>
      read<Page<T>>(path, as, options, { ...query, cursor })
    return listing(fetchPage, query?.cursor)
  }
  return {
    read,
    async readAll<T>(path: string, as: Kinds, options?: CallOptions): Promise<readonly T[]> {
      const all: T[] = []
      for await (const item of list<T>(path, as, undefined, options)) {
        all.push(item)
      }
      return all
    },
    readText: (path, as, options, query) =>
      send({ method: 'GET', path, as, query, write: false, isText: true, options }),
    open: (path, as, lastEventId, options) =>
      send({ method: 'GET', path, as, write: false, stream: { lastEventId }, options }),
    ask: (path, as, body, options) =>
      send({ method: 'POST', path, as, body, write: false, options }),
    post: write('POST'),
    put: write('PUT'),
    patch: write('PATCH'),
    remove: (path, as, options, body) => remove(path, as, body, options),
    list,
  }
}

/** For public reads. A caller with a credential uses its own quota of lookups, not its address's. */
export const ANYONE: Kinds = ['apiKey', 'token', 'operatorKey']

/** The service takes at most 100 of anything at once. */
export const BATCH_MAX = 100

export function batches<T>(items: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(items.length / BATCH_MAX)
  return Array.from({ length: count }, (_, n) => items.slice(n * BATCH_MAX, (n + 1) * BATCH_MAX))
}
