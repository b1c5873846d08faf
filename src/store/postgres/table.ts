import { first } from './rows.ts'
import type { Sql } from './sql.ts'

/**
 * A table as data: its name, and how each property of a row is stored. Identifiers in statements that are made from
 * it come from here alone.
 */
export interface Table<Row> {
  readonly name: string
  /** The columns of a `select`. */
  readonly columns: string
  /** Those of this alias of the table. */
  columnsOf(alias: string): string
  /** The columns and values of those of its properties that are given and not undefined. */
  stored(properties: { readonly [P in keyof Row]?: Row[P] | undefined }): readonly Stored[]
  /** The row of what a statement with `columns` answers. */
  read(answer: Answer): Row
}

export type Stored = readonly [column: string, value: unknown]

/** A row as the driver returns it, by column. */
export type Answer = Readonly<Record<string, unknown>>

/** How a property is stored, unless as it is in one column. */
interface Property<Value> {
  columns(prefix: string): string
  stored(value: Value): readonly Stored[]
  read(answer: Answer): Value
}

export function tableOf<Row>(
  name: string,
  declared: { readonly [P in keyof Row]-?: string | Property<Row[P]> },
): Table<Row> {
  const properties = new Map(
    Object.entries(declared as Readonly<Record<string, string | Property<unknown>>>).map(
      ([key, how]) => [key, typeof how === 'string' ? plain(how) : how],
    ),
  )
  const columns = (prefix: string) =>
    Array.from(properties.values(), (one) => one.columns(prefix)).join(', ')
  return {
    name,
    columns: columns(''),
    columnsOf: (alias) => columns(`${alias}.`),
    stored: (given) =>
      [...properties].flatMap(([key, property]) => {
        const value = given[key as keyof Row]
        return value === undefined ? [] : property.stored(value)
      }),
    read: (answer) =>
      Object.fromEntries(Array.from(properties, ([key, one]) => [key, one.read(answer)])) as Row,
  }
}

/** Runs statements that answer rows of a table. */
export function readerOf<Row>(sql: Sql, { read }: Table<Row>) {
  const all = async (text: string, values?: readonly unknown[]) =>
    (await sql<Answer>(text, values)).map(read)
  return {
    all,
    one: async (text: string, values?: readonly unknown[]) => first(await all(text, values)),
  }
}

/** One column, whose values the driver converts. */
function plain<Value>(column: string): Property<Value> {
  return {
    columns: (prefix) => prefix + column,
    stored: (value) => [[column, value]],
    read: (answer) => answer[column] as Value,
  }
}

/** JSON, which the driver parses, and does not write. */
export function json<Value>(column: string): Property<Value> {
  return {
    ...plain(column),
    stored: (value) => [[column, value === null ? null : JSON.stringify(value)]],
  }
}

/** Bytes, in hex. */
export function hex(column: string): Property<string> {
  return {
    ...plain(column),
    stored: (value) => [[column, Buffer.from(value, 'hex')]],
    read: (answer) => (answer[column] as Buffer).toString('hex'),
  }
}

/** A property with properties of its own, each in a column. It is null where the first of them is. */
export function nested<Value>(
  columns: {
    readonly [P in keyof NonNullable<Value>]-?: string
  },
): Property<Value> {
  const all = Object.entries<string>(columns)
  return {
    columns: (prefix) => all.map(([, column]) => prefix + column).join(', '),
    stored: (value) =>
      all.map(([key, column]) => [column, value?.[key as keyof Value] ?? null] as const),
    read: (answer) =>
      (answer[all[0]?.[1] ?? ''] === null
        ? null
        : Object.fromEntries(all.map(([key, column]) => [key, answer[column]]))) as Value,
  }
}

/** A value that is read from other tables, and never written. */
export function computed<Value>(column: string, from: string): Property<Value> {
  return { ...plain(column), columns: () => `${from} as ${column}`, stored: () => [] }
}
