import type { Cursors, ListName, Position } from '../http/cursor.ts'
import type { Response } from '../http/response.ts'
import { ok } from '../http/response.ts'
import { z } from '../http/schema.ts'
import type { Page } from '../store/store.ts'

/** The id that examples are given under. */
export const EXAMPLE_ID = '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'

/** Ids are UUIDs of any version, so that whoever brings his own data may keep his. */
export const Id = z
  .guid('must be a UUID')
  .transform((id) => id.toLowerCase())
  .openapi({ format: 'uuid', example: EXAMPLE_ID })

export const Time = z.iso
  .datetime({ precision: 3 })
  .openapi({ example: '2026-06-15T11:00:00.000Z', format: 'date-time' })

export function time(at: number): string {
  return new Date(at).toISOString()
}

export function timeOrNull(at: number | null): string | null {
  return at === null ? null : time(at)
}

/** A time that a caller gives: RFC 3339 with any offset, to the millisecond. */
export const TimeInput = z.iso
  .datetime({ offset: true, error: 'must be a time as in RFC 3339: 2026-06-15T11:00:00.000Z' })
  .transform((text) => Date.parse(text))
  .openapi({ format: 'date-time', example: '2026-06-15T11:00:00.000Z' })

export const IdParams = z.object({ id: Id.openapi({ description: 'Its id, a UUID.' }) })

export const LIMIT_DEFAULT = 50
export const LIMIT_MAX = 100

const LIMIT_WORDS = `must be a whole number from 1 to ${LIMIT_MAX}`

export const PageQuery = z.object({
  cursor: z
    .string()
    .max(1_000, 'is not a cursor of ours')
    .optional()
    .openapi({ description: 'The nextCursor of the page before; the first page needs none.' }),
  limit: z
    .string()
    .regex(/^\d{1,3}$/, LIMIT_WORDS)
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= LIMIT_MAX, LIMIT_WORDS)
    .optional()
    .openapi({
      type: 'integer',
      minimum: 1,
      maximum: LIMIT_MAX,
      default: LIMIT_DEFAULT,
      description: 'How many at most.',
    }),
})

export type PageInput = z.output<typeof PageQuery>

/** A stretch of time, both its ends within it. */
export const RangeQuery = PageQuery.extend({
  from: TimeInput.optional().openapi({ description: 'Nothing older than this time (RFC 3339).' }),
  to: TimeInput.optional().openapi({ description: 'Nothing newer than this time (RFC 3339).' }),
})

const NextCursor = z.string().nullable().openapi({
  description: 'Give it back as `cursor` for the next page; null on the last one.',
  example: 'n3qOVb0uYpG0e8TSQ7LkZVsxNzQyXQ',
})

export function listOf<T extends z.ZodType>(row: T, name: string) {
  return z.object({ data: z.array(row), nextCursor: NextCursor }).openapi(name)
}

/** Where the page asked for begins, and how long it is. */
export function pageOf<P extends Position>(
  cursors: Cursors,
  { cursor, limit = LIMIT_DEFAULT }: PageInput,
  list: ListName,
): { readonly position: P | null; readonly limit: number } {
  return { position: cursor === undefined ? null : (cursors.decode(cursor, list) as P), limit }
}

/** A page as it is answered: its rows presented, and the cursor behind the last of them. */
export function pageAnswer<T>(
  cursors: Cursors,
  { rows, more }: Page<T>,
  list: ListName,
  present: (row: T) => unknown,
  positionOf: (row: T) => Position,
): Response {
  const last = rows.at(-1)
  const nextCursor = more && last !== undefined ? cursors.encode(positionOf(last), list) : null
  return ok({ data: rows.map(present), nextCursor })
}
