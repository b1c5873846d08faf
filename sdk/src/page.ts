import { unexpectedResponse } from './error.ts'

/** One page of a list, newest first. Iterating continues with the following pages. */
export interface Page<T> extends AsyncIterable<T> {
  readonly data: readonly T[]
  /** Where the next page begins; null after the last. */
  readonly nextCursor: string | null
}

/** A list call: awaited it is the first page, iterated (`for await`) every item of every page. */
export type Listing<T> = Promise<Page<T>> & AsyncIterable<T>

interface RawPage<T> {
  readonly data: readonly T[]
  readonly nextCursor: string | null
}

/** @param fetchPage gets the page at a cursor; undefined is the first. Pages are fetched as needed. */
export function listing<T>(
  fetchPage: (cursor: string | undefined) => Promise<RawPage<T>>,
  cursor?: string | undefined,
): Listing<T> {
  const first = fetchPage(cursor).then((raw) => pageOf(raw, fetchPage))
  // A failure is thrown where the list is awaited or iterated. One that is not yet, or never is, must
  // not end the process as an unhandled rejection.
  first.catch(() => undefined)
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      yield* await first
    },
  })
}

function pageOf<T>(raw: RawPage<T>, fetchPage: (cursor: string) => Promise<RawPage<T>>): Page<T> {
  const { data, nextCursor } = checked(raw)
  async function* items(): AsyncGenerator<T, void> {
    yield* data
    let next = nextCursor
    while (next !== null) {
      const page: RawPage<T> = checked(await fetchPage(next), next)
      yield* page.data
      next = page.nextCursor
    }
  }
  // Not enumerable: a page prints and compares as the two fields it has.
  return Object.defineProperty({ data, nextCursor }, Symbol.asyncIterator, {
    value: items,
  }) as Page<T>
}

/** @throws StandingError `UNEXPECTED_RESPONSE` for an answer that is no page, or by which a list would not end */
function checked<T>(raw: RawPage<T>, cursor?: string): RawPage<T> {
  const { data, nextCursor } = raw
  const isPage = Array.isArray(data) && (nextCursor === null || typeof nextCursor === 'string')
  if (!isPage) {
    throw unexpectedResponse(200, 'the answer is not a page of a list')
  }
  if (nextCursor === cursor) {
    throw unexpectedResponse(200, 'a page of the list names itself as the next one')
  }
  return raw
}
