import type { Sql } from './sql.ts'
import { numberOf, withShiftedValues } from './statement-parts.ts'

interface Write {
  readonly text: string
  readonly values: readonly unknown[]
  readonly resolve: (rows: number) => void
  readonly reject: (error: unknown) => void
}

export interface JoinedWrites {
  /** `written` waits for `send`, and later writes go their own way. All else is sent as it comes. */
  readonly sql: Sql
  /** Sends what was written so far as one statement. Its writes fail together. */
  send(): Promise<void>
}

/**
 * Writes to several tables in one statement. A statement costs the database and this process a round of
 * messages each, regardless of its size, and a single event writes to four tables. No write may depend on
 * another one: they see the database as it was before all of them.
 */
export function joinWrites(sql: Sql): JoinedWrites {
  const writes: Write[] = []
  let isSent = false
  const joined: Sql = Object.assign(
    <Row>(text: string, values?: readonly unknown[]) => sql<Row>(text, values),
    {
      written(text: string, values: readonly unknown[]): Promise<number> {
        if (isSent) {
          return sql.written(text, values)
        }
        return new Promise((resolve, reject) => writes.push({ text, values, resolve, reject }))
      },
    },
  )
  return {
    sql: joined,
    async send() {
      isSent = true
      if (writes.length === 0) {
        return
      }
      try {
        const counts = await sendJoined(sql, writes)
        for (const [i, { resolve }] of writes.entries()) {
          resolve(counts[nameOf(i)] ?? 0)
        }
      } catch (error) {
        for (const { reject } of writes) {
          reject(error)
        }
      }
    },
  }
}

async function sendJoined(
  sql: Sql,
  writes: readonly Write[],
): Promise<Readonly<Record<string, number>>> {
  const values = writes.flatMap((write) => write.values)
  const [counts = {}] = await sql<Record<string, number>>(statementOf(writes), values)
  return counts
}

/** The statements made so far, by the numbers of their parts. They are few: each table has one part. */
const statements = new Map<string, string>()

function statementOf(writes: readonly Write[]): string {
  const key = writes.map(({ text }) => numberOf(text)).join()
  let statement = statements.get(key)
  if (statement === undefined) {
    statement = `with ${partsOf(writes).join(', ')} select ${countsOf(writes).join(', ')}`
    statements.set(key, statement)
  }
  return statement
}

function partsOf(writes: readonly Write[]): readonly string[] {
  let shift = 0
  return writes.map(({ text, values }, i) => {
    const own = withShiftedValues(text, shift)
    shift += values.length
    return `${nameOf(i)} as (${own} returning 1)`
  })
}

function countsOf(writes: readonly Write[]): readonly string[] {
  return writes.map((_, i) => `(select count(*)::int from ${nameOf(i)}) as ${nameOf(i)}`)
}

function nameOf(i: number): string {
  return `written_${i}`
}
