import { invalidField } from '../domain/error.ts'
import type { Cursors, ListName, Position } from '../http/cursor.ts'
import { ok, type Response } from '../http/response.ts'
import { z } from '../http/schema.ts'
import type { Page } from '../store/store.ts'
import { queryInteger, TimeInput } from './wire.ts'

/** The default and the maximum of the interface (Lists). */
const LIMIT_DEFAULT = 50
const LIMIT_MAX = 100

export const PageQuery = z.object({
  cursor: z
    .string()
    .max(1_000, 'is not a cursor of this service')
    .optional()
    .openapi({ description: 'The `nextCursor` of the previous page. Omit it for the first page.' }),
  limit: queryInteger({
    min: 1,
    max: LIMIT_MAX,
    default: LIMIT_DEFAULT,
    description: 'Maximum number of items.',
  }),
})

interface Span {
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** Refuses a span of time that ends before it starts: its empty list would hide the mistake. */
export function checkSpan({ from, to }: Span, context: z.RefinementCtx): void {
  if (from !== undefined && to !== undefined && from > to) {
    const message = 'must not be later than `to`'
    context.addIssue({ code: 'custom', path: ['from'], message })
  }
}

/** A page within a span of time. */
export const RangeQuery = PageQuery.extend({
  from: TimeInput.optional().openapi({ description: 'Earliest time to include (RFC 3339).' }),
  to: TimeInput.optional().openapi({ description: 'Latest time to include (RFC 3339).' }),
})

const NextCursor = z
  .string()
  .nullable()
  .openapi({
    description:
      'Send it as `cursor` to get the next page; null on the last page. In a very long list a filter may ' +
      'leave a page with fewer items than asked for, or none, and more follow.',
    example: 'n3qOVb0uYpG0e8TSQ7LkZVsxNzQyXQ',
  })

export function listOf<T extends z.ZodType>(row: T, name: string) {
  return z.object({ data: z.array(row), nextCursor: NextCursor }).openapi(name)
}

/**
 * A page of rows that are few, all at hand, and never removed: those that follow the last one of the page before. A node
 * of another release may not have that one. It refuses the cursor, for the first page again would never end.
 */
export function pageAfter<T>(
  all: readonly T[],
  keyOf: (row: T) => string,
  { after, limit }: Pick<KeyedPageRequest, 'after' | 'limit'>,
): Page<T> {
  const last = after === null ? -1 : all.findIndex((row) => keyOf(row) === after)
  if (after !== null && last < 0) {
    throw invalidField('query.cursor', 'names a row that is not in this list', 'invalid_cursor')
  }
  const following = all.slice(last + 1)
  return { rows: following.slice(0, limit), more: following.length > limit }
}

/** A request for one page of a list. */
export interface PageRequest<P extends Position> {
  /** Where the page begins; null for the first one. */
  readonly position: P | null
  readonly limit: number
  /** The page as a response: its rows presented, and the cursor after the last of them. */
  respond<T>(page: Page<T>, present: (row: T) => unknown, positionOf: (row: T) => P): Response
}

/** Reads the cursor, which is good only for this list with these filters. */
export function pageOf<P extends Position>(
  cursors: Cursors,
  { cursor, limit = LIMIT_DEFAULT }: z.output<typeof PageQuery>,
  list: ListName,
): PageRequest<P> {
  return {
    position: cursor === undefined ? null : (cursors.decode(cursor, list) as P),
    limit,
    respond({ rows, more, end }, present, positionOf) {
      const last = rows.at(-1)
      const next = end ?? (last && positionOf(last))
      const nextCursor = more && next ? cursors.encode(next, list) : null
      return ok({ data: rows.map(present), nextCursor })
    },
  }
}

/** A request for one page of a list in the order of one column, such as the id. */
export interface KeyedPageRequest {
  /** The key of the last row of the page before; null for the first page. */
  readonly after: string | null
  readonly limit: number
  respond<T>(page: Page<T>, present: (row: T) => unknown, keyOf: (row: T) => string): Response
}

export function pageByKey(
  cursors: Cursors,
  query: z.output<typeof PageQuery>,
  list: ListName,
): KeyedPageRequest {
  const { position, limit, respond } = pageOf<[string]>(cursors, query, list)
  return {
    after: position?.[0] ?? null,
    limit,
    respond: (page, present, keyOf) => respond(page, present, (row) => [keyOf(row)]),
  }
}

/** The key of most lists. */
export const idOf = ({ id }: { readonly id: string }): string => id
