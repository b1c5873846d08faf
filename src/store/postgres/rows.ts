import type { ById } from '../rows.ts'
import type { FindOptions, Page } from '../types.ts'
import { binaryArraysOf } from './binary-arrays.ts'
import type { Sql } from './sql.ts'

/** A list is read one row beyond its limit, which shows whether there are more. */
export function page<T>(rows: readonly T[], limit: number): Page<T> {
  return { rows: rows.slice(0, limit), more: rows.length > limit }
}

/** Rows of a long list that are compared with a filter for one page: some milliseconds of reading. */
export const SCANNED_MAX = 5_000

/** Above every number of a row, and below and above every id: where a list begins. */
export const NUMBER_MAX = Number.MAX_SAFE_INTEGER
export const ID_MIN = '00000000-0000-0000-0000-000000000000'
export const ID_MAX = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Whether an id is of test data, as `isTestId` says, in a statement. */
export function isTest(id: string): string {
  return `(substr(${id}::text, 15, 1) = '8')`
}

/**
 * An id never changes, so an insert that refers to a locked row does not wait. It would wait in another order than
 * that of all locks: for the owner of an agent that its transaction has locked, while a registration below this agent
 * has locked the owner.
 */
const LOCKING = {
  wait: 'for no key update',
  skip: 'for no key update skip locked',
  share: 'for share',
} satisfies Record<NonNullable<FindOptions['lock']>, string>

/** The clause that locks the rows of a `select`. */
export function locking({ lock }: FindOptions = {}): string {
  return lock ? LOCKING[lock] : ''
}

export function first<T>(rows: readonly T[]): T | null {
  return rows[0] ?? null
}

export function byId<T extends ById>(rows: readonly T[]): ReadonlyMap<string, T> {
  return new Map(rows.map((row) => [row.id, row]))
}

/** The column `count` of the only row that a statement answers; 0 where it answers none. */
export async function countOf(sql: Sql, text: string, values: readonly unknown[]): Promise<number> {
  const rows = await sql<{ count: number }>(text, values)
  return first(rows)?.count ?? 0
}

/** Every write names the number of rows that it affects; another number is an error and is undone. */
export function expectRows(what: string, actual: number, expected: number): void {
  if (actual !== expected) {
    throw new Error(`${what}: ${actual} rows written instead of ${expected}`)
  }
}

/** Rows for one table. The statement takes each column as one array for `unnest`, and then `rest`. */
export interface RowsWrite {
  readonly text: string
  readonly rows: number
  readonly columns: readonly (readonly Value[])[]
  readonly rest: readonly Value[]
}

export function rowsWrite<T>(
  text: string,
  rows: readonly T[],
  values: readonly ((row: T) => Value)[],
  rest: readonly Value[] = [],
): RowsWrite {
  return { text, rows: rows.length, columns: values.map((value) => rows.map(value)), rest }
}

/** Writes rows, of which none may be left out. */
export async function writeRows(sql: Sql, what: string, write: RowsWrite): Promise<void> {
  if (write.rows > 0) {
    expectRows(what, await sql.written(write.text, binaryArraysOf(write)), write.rows)
  }
}

/** The values of a statement as text: each column as one array, and then the rest. */
export function arraysOf({ columns, rest }: RowsWrite): unknown[] {
  return [...columns.map(arrayOf), ...rest]
}

/** The columns of many rows, each as one array for `unnest`, in the notation of PostgreSQL. */
export function columns<T>(
  rows: readonly T[],
  ...values: readonly ((row: T) => Value)[]
): string[] {
  return values.map((value) => arrayOf(rows.map(value)))
}

/** One array, in the notation of PostgreSQL. */
export function arrayOf(values: readonly Value[]): string {
  let text = ''
  for (const value of values) {
    text += text === '' ? literal(value) : `,${literal(value)}`
  }
  return `{${text}}`
}

export type Value = string | number | boolean | Uint8Array | null | undefined

/** Most values (ids, names of types) need no quotes. The word `null` does: bare, it is no string. */
const PLAIN = /^(?!null$)[\w.:-]+$/i

function literal(value: Value): string {
  if (value === null || value === undefined) {
    return 'null'
  }
  if (typeof value === 'number' || typeof value === 'boolean') {
    return String(value)
  }
  if (typeof value === 'string') {
    return PLAIN.test(value) ? value : quoted(value)
  }
  return `"\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}"`
}

/** Control characters and surrogates: JSON escapes them otherwise than the notation of PostgreSQL. */
const OTHER_ESCAPES = /[^\x20-\ud7ff\ue000-\uffff]/

/** As JSON does, where both escape alike: two replacements take four times as long, and JSON is full of quotes. */
function quoted(value: string): string {
  return OTHER_ESCAPES.test(value)
    ? `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
    : JSON.stringify(value)
}
