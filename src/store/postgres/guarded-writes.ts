import { binaryArraysOf } from './binary-arrays.ts'
import type { RowsWrite, Value } from './rows.ts'
import type { Sql } from './sql.ts'
import { numberOf, withShiftedValues } from './statement-parts.ts'

/** A part of a statement with its own values, which it names from `$1` on. */
export interface Part {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Writes to several tables, made together only if nothing has changed since they were decided. */
export interface GuardedWrites {
  /** Conditions that a key or a name is not in use. Otherwise nothing is written, and nothing fails. */
  readonly unused: readonly Part[]
  /** Rows that are only locked, each with how many of them there have to be. */
  readonly locks: readonly (Part & { readonly rows: number })[]
  /** Updates of rows that are as expected. If one finds a different number of rows, all writes fail. */
  readonly updates: readonly RowsWrite[]
  /** Other conditions. If one is false, all writes fail. */
  readonly conditions: readonly Part[]
  readonly inserts: readonly RowsWrite[]
}

/**
 * How long a row is waited for that another transaction has locked: as long as one event takes. Its reports
 * are then set aside, and delay no other agent.
 */
const LOCK_TIMEOUT = '10ms'

/**
 * Makes one statement of all of it, because each statement costs the database and this process a round of
 * messages. The updates are the check that nothing has changed: to lock the rows before took the database
 * twice as long. Where one finds too few rows, a division by zero undoes the others. No write may depend on
 * another one: they see the database as it was before all of them.
 *
 * What is returned sends it, and answers whether anything was written.
 */
export function guardedWrite(writes: GuardedWrites): (sql: Sql) => Promise<boolean> {
  const { text, values } = guardedStatement(writes, binaryArraysOf)
  return async (sql) => {
    const [outcome] = await sql<{ written: number | null }>(text, values)
    return outcome?.written === 1
  }
}

/** The statement returns 1 where all was written, and null where a key or a name is in use. */
export function guardedStatement(
  writes: GuardedWrites,
  arraysOf: (write: RowsWrite) => readonly unknown[],
): Part {
  const { unused, locks, conditions } = writes
  const partOf = (write: RowsWrite): Part & { readonly isOneRow: boolean } => {
    const isOneRow = write.rows === 1
    return { text: write.text, values: isOneRow ? rowOf(write) : arraysOf(write), isOneRow }
  }
  const updates = writes.updates.filter(hasRows)
  const inserts = writes.inserts.filter(hasRows)
  const parts = [...unused, ...locks, ...updates.map(partOf), ...conditions, ...inserts.map(partOf)]
  const values: unknown[] = []
  let key = ''
  // A loop, because flattening the lists took 11 µs for each batch, instead of 1.5.
  for (const part of parts) {
    key += `${numberOf(part.text)}${'isOneRow' in part && part.isOneRow ? ' of one,' : ','}`
    values.push(...part.values)
  }
  for (const { rows } of [...locks, ...updates.filter(hasSeveral)]) {
    values.push(rows)
  }
  values.push(LOCK_TIMEOUT)
  let text = statements.get(key)
  if (text === undefined) {
    text = textFor({ ...writes, updates, inserts })
    statements.set(key, text)
  }
  return { text, values }
}

/** The statements made so far, by the numbers of their parts. They are few: each table has one or two parts. */
const statements = new Map<string, string>()

function textFor({ unused, locks, updates, conditions, inserts }: GuardedWrites): string {
  let used = 0
  const shifted = (text: string, values: number) => {
    const own = withShiftedValues(text, used)
    used += values
    return own
  }
  const free = unused.map(({ text, values }) => shifted(text, values.length))
  const isGated = free.length > 0
  const named = (prefix: string, write: RowsWrite, i: number, end: string) => {
    const values = write.columns.length + write.rest.length
    const text = shifted(withRows(write, isGated), values)
    return `${prefix}_${i} as (${text}${end})`
  }
  const locked = locks.map(
    ({ text, values }, i) => `locked_${i} as materialized (${shifted(text, values.length)})`,
  )
  const updated = updates.map((write, i) => named('updated', write, i, ' returning 1'))
  const holds = conditions.map(({ text, values }) => shifted(text, values.length))
  const inserted = inserts.map((write, i) => named('inserted', write, i, ''))
  const isCounted = (name: string) => {
    used += 1
    return `(select count(*) from ${name}) = $${used}::int`
  }
  const counts = [
    ...locks.map((_, i) => isCounted(`locked_${i}`)),
    ...updates.map((write, i) =>
      hasSeveral(write) ? isCounted(`updated_${i}`) : `exists (select from updated_${i})`,
    ),
  ]
  const checks = [
    // First, because what follows may wait for a lock.
    `set_config('lock_timeout', $${used + 1}, true) is not null`,
    ...counts,
    ...holds,
  ]
  const gate = isGated ? [`gate as materialized (select ${free.join(' and ')} as is_open)`] : []
  const written = `1 / (${checks.join(' and ')})::int`
  return `with ${[...gate, ...locked, ...updated, ...inserted].join(', ')}
    select ${isGated ? `case when is_open then ${written} end` : written} as written${isGated ? ' from gate' : ''}`
}

/** Where the rows of a write come from: the arrays, and the names of their columns. */
const ROWS = /\bfrom unnest\((.*?)\)\s+as t\((.*?)\)/s

/**
 * The statement of a write with its rows as a list of selected values. `from unnest` keeps every column in a
 * store of its own before the first row: it took the database a fifth longer for each event. One row needs no
 * arrays. Behind a closed gate there are no rows.
 */
function withRows({ text, rows }: RowsWrite, isGated: boolean): string {
  return text.replace(ROWS, (_, arrays: string, names: string) => {
    const types = arrays.split(',')
    const selected = names.split(',').map((name, i) => {
      const type = types[i]?.trim() ?? ''
      return `${rows === 1 ? type.replace('[]', '') : `unnest(${type})`} as ${name.trim()}`
    })
    return `from (select ${selected.join(', ')}${isGated ? ' from gate where is_open' : ''}) t`
  })
}

function hasRows({ rows }: RowsWrite): boolean {
  return rows > 0
}

function hasSeveral({ rows }: RowsWrite): boolean {
  return rows > 1
}

function rowOf({ columns, rest }: RowsWrite): readonly unknown[] {
  return [...columns.map(([value]) => given(value)), ...rest]
}

function given(value: Value): unknown {
  return value ?? null
}
