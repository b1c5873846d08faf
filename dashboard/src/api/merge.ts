import type { Page } from './types.ts'

export interface Row {
  readonly id: string
}

/** The pages of a list read so far. */
export interface Rows<T> {
  readonly rows: readonly T[]
  readonly nextCursor: string | null
}

export function append<T extends Row>(known: Rows<T>, { data, nextCursor }: Page<T>): Rows<T> {
  return { rows: [...known.rows, ...data], nextCursor }
}

/** New rows come on top of the known ones, unless there is a gap between them. */
export function merge<T extends Row>(
  { data, nextCursor }: Page<T>,
  known: Rows<T> | undefined,
): Rows<T> {
  const ids = new Set(data.map(({ id }) => id))
  const overlap = known?.rows.findLastIndex(({ id }) => ids.has(id)) ?? -1
  if (!known || overlap === -1) {
    return { rows: data, nextCursor }
  }
  const older = known.rows.slice(overlap + 1)
  if (older.length === 0) {
    return { rows: data, nextCursor }
  }
  return { rows: [...data, ...older], nextCursor: known.nextCursor }
}
