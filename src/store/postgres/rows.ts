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
  if (actual !== expected) throw new Error(`${what}: ${actual} rows written instead of ${expected}`)
}

/** The columns of many rows, each as one array for `unnest`. */
export function columns<T>(
  rows: readonly T[],
  ...values: readonly ((row: T) => unknown)[]
): unknown[][] {
  return values.map((value) => rows.map(value))
}
