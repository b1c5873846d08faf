import type { NamedOperator } from '@standing/sdk'
import { isJsonObject, type JsonObject } from '../../src/lib/json-object.ts'
import { UsageError } from '../../src/lib/user-error.ts'
import type { Session } from './command.ts'
import { jsonOf } from './http/json.ts'
import { EXAMPLE_ID } from './options.ts'
import { inLine } from './printable.ts'

/** Shows the items of a list as they come, `limit` at most. */
export async function showList<T>(
  list: AsyncIterable<T> | Iterable<T>,
  session: Session,
  textOf: (item: T) => string,
  limit: string | undefined = undefined,
): Promise<number> {
  const most = limit === undefined ? Number.POSITIVE_INFINITY : countOf('--limit', limit)
  let shown = 0
  for await (const item of list) {
    session.show(item, textOf(item))
    shown++
    if (shown >= most) {
      break
    }
  }
  if (shown === 0) {
    session.note('There is nothing to list.')
  }
  return 0
}

/** @throws UsageError unless the text is a whole number from `min` to `max` */
export function countOf(
  name: string,
  text: string,
  min = 1,
  max = Number.POSITIVE_INFINITY,
): number {
  const count = Number(text)
  if (/^\d{1,9}$/.test(text) && count >= min && count <= max) {
    return count
  }
  const range = max === Number.POSITIVE_INFINITY ? `of at least ${min}` : `from ${min} to ${max}`
  throw new UsageError(`${name} must be a whole number ${range}, not ${text}.`)
}

/** A JSON object that was typed. @throws UsageError */
export function objectOf(name: string, text: string | undefined): JsonObject {
  if (text === undefined) {
    return {}
  }
  const value = jsonOf(text)
  if (isJsonObject(value)) {
    return value
  }
  throw new UsageError(`${name} must be a JSON object, such as '{"name":"value"}', not ${text}`)
}

/** A count and what is counted: 1 event, 2 events. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** A number with a comma before each group of three digits. */
export function grouped(value: number): string {
  return value.toLocaleString('en-US')
}

/** Columns of ids and of times are as wide as these are. */
export const ID_WIDTH = EXAMPLE_ID.length
export const TIME_WIDTH = '2026-06-15T11:00:00.000Z'.length

/** Text lines up: each cell but the last as wide as given. A cell holds plain text, which may be another's. */
export function row(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, i) => inLine(cell).padEnd(widths[i] ?? 0))
    .join('  ')
    .trimEnd()
}

/** When a key was last used. */
export function lastUse(at: string | null): string {
  return at === null ? 'never used' : `last used ${at}`
}

/** When each of the keys was created and last used, and until when it works, the newest first. */
export function keyUses(keys: NamedOperator['apiKeys']): string[] {
  return keys.map(({ createdAt, lastUsedAt, expiresAt }) => {
    const text = `key created ${createdAt}, ${lastUse(lastUsedAt)}`
    if (expiresAt === null) {
      return text
    }
    const end = Date.parse(expiresAt) > Date.now() ? 'works until' : 'ended at'
    return `${text}, ${end} ${expiresAt}`
  })
}

const COLOURS = { red: 31, green: 32, yellow: 33 } as const

/** The text in a colour, where the terminal shows colours (NO_COLOR turns them off). */
export function paint(
  { hasColour, isJson }: Session,
  colour: keyof typeof COLOURS,
  text: string,
): string {
  return hasColour && !isJson ? `\u001b[${COLOURS[colour]}m${text}\u001b[39m` : text
}
