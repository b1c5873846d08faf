import type { Sql } from './sql.ts'

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
 * What has to hold for the writes: parts of a `with`, the last of which is named `guard` and has the columns
 * `unchanged` and `unused`. Where one of them is false, nothing is written.
 */
export interface Guard {
  readonly text: string
  readonly values: readonly unknown[]
}

/** A guard did not hold: nothing was written. */
export class GuardFailed extends Error {
  override readonly name = 'GuardFailed'
  /** Whether a row was another than expected; otherwise a name or key was in use. */
  readonly isChanged: boolean

  constructor(isChanged: boolean) {
    super(isChanged ? 'another transaction was first' : 'a name or key is in use')
    this.isChanged = isChanged
  }
}

/**
 * Writes to several tables in one statement. A statement costs the database and this process a round of
 * messages each, whatever it writes, and a single event writes to four tables. No write may depend on
 * another one: they see the database as it was before all of them.
 */
export function joinWrites(sql: Sql, guard: Guard | null = null): JoinedWrites {
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
      if (writes.length === 0 && guard === null) {
        return
      }
      try {
        const counts = await sendJoined(sql, writes, guard)
        for (const [i, { resolve }] of writes.entries()) {
          resolve(counts[nameOf(i)] ?? 0)
        }
      } catch (error) {
        for (const { reject } of writes) {
          reject(error)
        }
        if (guard !== null) {
          throw error
        }
      }
    },
  }
}

interface Outcome {
  readonly unchanged?: boolean
  readonly unused?: boolean
  readonly [written: string]: number | boolean | undefined
}

async function sendJoined(
  sql: Sql,
  writes: readonly Write[],
  guard: Guard | null,
): Promise<Readonly<Record<string, number>>> {
  const values = [...(guard?.values ?? []), ...writes.flatMap((write) => write.values)]
  const [outcome = {}] = await sql<Outcome>(statementOf(writes, guard), values)
  const { unchanged = true, unused = true, ...counts } = outcome
  if (!unchanged || !unused) {
    throw new GuardFailed(!unchanged)
  }
  return counts as Record<string, number>
}

/** Of the statements that were joined before: there are few, because each table has one. */
const statements = new Map<string, string>()
const numbers = new Map<string, number>()

function statementOf(writes: readonly Write[], guard: Guard | null): string {
  const texts = writes.map(({ text }) => text)
  const key = (guard ? [guard.text, ...texts] : texts).map(numberOf).join()
  let statement = statements.get(key)
  if (statement === undefined) {
    statement = guard ? guardedStatement(writes, guard) : joinedStatement(writes)
    statements.set(key, statement)
  }
  return statement
}

function numberOf(text: string): number {
  let number = numbers.get(text)
  if (number === undefined) {
    number = numbers.size
    numbers.set(text, number)
  }
  return number
}

function joinedStatement(writes: readonly Write[]): string {
  return `with ${partsOf(writes, 0).join(', ')} select ${countsOf(writes).join(', ')}`
}

/** The writes of a guard that does not hold have no rows. */
function guardedStatement(writes: readonly Write[], { text, values }: Guard): string {
  const parts = partsOf(writes, values.length).map((part) => part.replace(ROWS, GUARDED_ROWS))
  const columns = ['unchanged', 'unused', ...countsOf(writes)]
  return `with ${[text, ...parts].join(', ')} select ${columns.join(', ')} from guard`
}

/** Where the rows of a write come from. */
const ROWS = /\bfrom unnest\(/
const GUARDED_ROWS = 'from (select from guard where unchanged and unused) held, unnest('

function partsOf(writes: readonly Write[], shiftOfFirst: number): readonly string[] {
  let shift = shiftOfFirst
  return writes.map(({ text, values }, i) => {
    const own = withShiftedValues(text, shift)
    shift += values.length
    return `${nameOf(i)} as (${own} returning 1)`
  })
}

function countsOf(writes: readonly Write[]): readonly string[] {
  return writes.map((_, i) => `(select count(*)::int from ${nameOf(i)}) as ${nameOf(i)}`)
}

function withShiftedValues(text: string, shift: number): string {
  return text.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + shift}`)
}

function nameOf(i: number): string {
  return `written_${i}`
}
