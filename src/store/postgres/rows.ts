import type { Page } from '../store.ts'

/** A list is read one row too far, to know whether there is more. */
export function page<T>(rows: readonly T[], limit: number): Page<T> {
  return { rows: rows.slice(0, limit), more: rows.length > limit }
}

export function first<T>(rows: readonly T[]): T | null {
  return rows[0] ?? null
}

/** Every write says how many rows it means to touch; anything else is a fault, and is undone. */
export function expectRows(what: string, actual: number, expected: number): void {
  if (actual !== expected) {
    throw new Error(`${what}: ${actual} rows written instead of ${expected}`)
  }
}

/** The columns of many rows, each as one array for `unnest`, in PostgreSQL's own notation. */
export function columns<T>(
  rows: readonly T[],
  ...values: readonly ((row: T) => Value)[]
): string[] {
  return values.map((value) => `{${rows.map((row) => literal(value(row))).join(',')}}`)
}

type Value = string | number | boolean | Uint8Array | null | undefined

/** Nearly all that is said often (ids, names of types) needs no quotes; `null` would mean nothing. */
const PLAIN = /^(?!null$)[\w.:-]+$/i

function literal(value: Value): string {
  if (value === null || value === undefined) {
    return 'null'
  }
  if (typeof value === 'number' || typeof value === 'boolean') {
    return String(value)
  }
  if (typeof value === 'string') {
    return PLAIN.test(value) ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`
  }
  return `"\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}"`
}
