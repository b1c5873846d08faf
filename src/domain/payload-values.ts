/** The values at the places of a payload, as a mapping reads them. */
import type { Divisor, Pointer, Scalar, ValueSource } from './mapping.ts'

/** Members of one list that are looked at: more than any sender has labels. */
const MEMBERS_MAX = 100

/** The texts, numbers and booleans at a place, none for an object or a list. */
export function scalarsAt(payload: unknown, path: Pointer): readonly Scalar[] {
  const parts = path.split('/').slice(1)
  const ends = parts.reduce<readonly unknown[]>(
    (values, part) => values.flatMap((value) => membersOf(value, part)),
    [payload],
  )
  return ends.filter(isScalar)
}

function membersOf(value: unknown, part: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null) {
    return []
  }
  if (part === '*') {
    return Array.isArray(value) ? value.slice(0, MEMBERS_MAX) : []
  }
  const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
  return Object.hasOwn(value, name) ? [(value as Record<string, unknown>)[name]] : []
}

function isScalar(value: unknown): value is Scalar {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** Reads the values at a place. */
export type ValuesAt = (path: Pointer) => readonly Scalar[]

/** A value with its table and its arithmetic, or what is wrong with it. */
export function valueFrom(
  source: ValueSource,
  at: ValuesAt,
): Scalar | undefined | { readonly problem: string } {
  const { path, constant, values, otherwise, upperCase, divideBy } = source
  const found = path === undefined ? [] : at(path)
  const taken = constant ?? (values ? tabled(values, found) : found[0]) ?? otherwise
  if (taken === undefined) {
    const isOutside = values !== undefined && found.length > 0
    return isOutside ? { problem: `the table has nothing for ${shown(found)}` } : undefined
  }
  const text = upperCase && typeof taken === 'string' ? taken.toUpperCase() : taken
  if (!divideBy) {
    return text
  }
  const divisor = divisorOf(divideBy, at)
  return typeof text === 'number' ? text / divisor : { problem: `${shown([text])} is not a number` }
}

function tabled<T>(table: Readonly<Record<string, T>>, found: readonly Scalar[]): T | undefined {
  const key = found.map(String).find((one) => Object.hasOwn(table, one))
  return key === undefined ? undefined : table[key]
}

function divisorOf({ path, values = {}, otherwise }: Divisor, at: ValuesAt): number {
  return (path === undefined ? undefined : tabled(values, at(path))) ?? otherwise
}

/** The start of what was found, for a message. */
export function shown(found: readonly Scalar[]): string {
  return JSON.stringify(found[0]).slice(0, SHOWN_CHARS_MAX)
}

/** Enough to recognise the value, and little of what a message should not repeat. */
const SHOWN_CHARS_MAX = 60
