import type { Change } from '../changes.ts'
import type { Groups, Listed, Rows, Waiting } from '../rows.ts'
import type { FindOptions } from '../types.ts'
import { first, ID_MAX, locking, page } from './rows.ts'
import type { Session } from './session.ts'
import { readerOf, type Table } from './table.ts'

/** What of a plain table is not in its columns. */
export interface RowRules<Row, Of> {
  /** Whether `insert` answers false where another row has what only one row may have; otherwise it throws. */
  readonly expectsDuplicates?: boolean
  /** The columns of the key by which `save` replaces. */
  readonly savedBy?: readonly string[]
  /** Columns that stay when `save` replaces a row, besides the time of creation. */
  readonly kept?: readonly string[]
  /** A condition of all rows: for the noun there are no others. */
  readonly where?: string
  /** The order of rows that are found together. */
  readonly order?: string
  readonly list?: ListRules<Of>
  readonly waits?: WaitRules
  /** What is published when a row is saved, updated or deleted. */
  readonly change?: (row: Row) => Change
}

export interface ListRules<Of> {
  /** The condition of what the rows belong to. */
  readonly of: string
  /** Its values, from `$1` on; what is given, by default. */
  readonly values?: (of: Of) => readonly unknown[]
  readonly order: keyof typeof AFTER
}

export interface WaitRules {
  /** The column of the ids. */
  readonly id: string
  /** The condition of the rows that wait; all of them do by default. */
  readonly where?: string
  readonly order: string
}

/** The orders of lists, and where a page begins. */
const AFTER = {
  'id desc': (after: string) => `id < coalesce(${after}::uuid, '${ID_MAX}')`,
  name: (after: string) => `name > coalesce(${after}::text, '')`,
}

export interface RowStore<Row, Key, Of>
  extends Rows<Row, Key>,
    Groups<Row, Partial<Row>>,
    Listed<Row, Of>,
    Waiting<Row> {}

/**
 * A noun whose table is plain. The texts of its statements depend on the declaration, and on which properties a
 * caller names: they are constants of the program like all others.
 */
export function rowStore<Row, Key extends Partial<Row>, Of = never>(
  table: Table<Row>,
  {
    expectsDuplicates = false,
    savedBy = [],
    kept = [],
    where = 'true',
    order,
    list,
    waits,
    change,
  }: RowRules<Row, Of>,
): (session: Pick<Session, 'sql' | 'changed'>) => RowStore<Row, Key, Of> {
  const { name, columns } = table
  // No index is named: of two rows that are inserted at the same time, either index may refuse the second.
  const onConflict = expectsDuplicates ? 'on conflict do nothing' : ''

  return ({ sql, changed }) => {
    const { one, all } = readerOf(sql, table)
    const published = async (row: Row | null) => {
      await (row && change && changed(change(row)))
      return row
    }
    const find = async (by: Key, options?: FindOptions) => {
      const { text, values } = named(table, by)
      return one(
        `select ${columns} from ${name} where ${where} and ${text} ${locking(options)}`,
        values,
      )
    }
    return {
      find,
      async insert(row) {
        const { text, values } = insertion(table, row)
        return (await sql.written(`${text} ${onConflict}`, values)) === 1
      },
      async save(row) {
        const { text, values, columns } = insertion(table, row)
        const staying = [...savedBy, 'created_at', ...kept]
        const replaced = columns.filter((one) => !staying.includes(one))
        const rows = await sql<{ is_new: boolean }>(
          `${text} on conflict (${savedBy}) do update
             set ${replaced.map((column) => `${column} = excluded.${column}`)}
           returning xmax = 0 as is_new`,
          values,
        )
        await published(row)
        return first(rows)?.is_new ?? false
      },
      async update(by, given) {
        const stored = table.stored(given)
        if (stored.length === 0) {
          return find(by)
        }
        const { text, values } = named(table, by, stored.length)
        const row = await one(
          `update ${name} set ${stored.map(([column], i) => `${column} = $${i + 1}`)}
           where ${where} and ${text} returning ${columns}`,
          [...stored.map(([, value]) => value), ...values],
        )
        return published(row)
      },
      async delete(by) {
        const { text, values } = named(table, by)
        return published(
          await one(`delete from ${name} where ${where} and ${text} returning ${columns}`, values),
        )
      },
      async findAll(by, options) {
        if (!order) {
          throw new Error(`${name} has too many rows to be found together`)
        }
        const { text, values } =
          Object.keys(by).length === 0 ? { text: 'true', values: [] } : named(table, by)
        return all(
          `select ${columns} from ${name} where ${where} and ${text}
           order by ${order} ${locking(options)}`,
          values,
        )
      },
      async deleteAll(by) {
        const { text, values } = named(table, by)
        const rows = await all(
          `delete from ${name} where ${where} and ${text} returning ${columns}`,
          values,
        )
        for (const row of rows) {
          await published(row)
        }
      },
      async list(of, after, limit) {
        if (!list) {
          throw new Error(`${name} is not listed`)
        }
        const values = list.values?.(of) ?? [of]
        const rows = await all(
          `select ${columns} from ${name}
           where ${where} and ${list.of} and ${AFTER[list.order](`$${values.length + 1}`)}
           order by ${list.order} limit $${values.length + 2}`,
          [...values, after, limit + 1],
        )
        return page(rows, limit)
      },
      async waiting(without, limit) {
        if (!waits) {
          throw new Error(`${name} has no rows that wait`)
        }
        return all(
          `select ${columns} from ${name}
           where ${waits.where ?? 'true'} and ${waits.id} <> all($1::uuid[])
           order by ${waits.order} limit $2`,
          [without, limit],
        )
      },
    }
  }
}

/** A part of a statement, with its values. */
interface Part {
  readonly text: string
  readonly values: readonly unknown[]
}

function insertion<Row>(
  table: Table<Row>,
  row: Row,
): Part & { readonly columns: readonly string[] } {
  const stored = table.stored(row)
  const columns = stored.map(([column]) => column)
  const places = stored.map((_, i) => `$${i + 1}`)
  const text = `insert into ${table.name} (${columns}) values (${places})`
  return { text, values: stored.map(([, value]) => value), columns }
}

/** The condition that the properties of a key are equal. Its values come after so many others. */
function named<Row>(table: Table<Row>, by: Partial<Row>, others = 0): Part {
  const stored = table.stored(by)
  // One that is left out would let the condition hold for more rows; without any it would hold for all.
  if (stored.length === 0 || stored.length !== Object.keys(by).length) {
    throw new Error(`${table.name}: a key of ${Object.keys(by)} has no column, or no value`)
  }
  const values = stored.flatMap(([, value]) => (value === null ? [] : [value]))
  let number = others
  const conditions = stored.map(([column, value]) =>
    value === null ? `${column} is null` : `${column} = $${++number}`,
  )
  return { text: conditions.join(' and '), values }
}
