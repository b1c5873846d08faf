import { readFile } from 'node:fs/promises'
import { findJsonError } from './json-error.ts'
import { UserError, unreadableFile } from './user-error.ts'

export type JsonObject = Readonly<Record<string, unknown>>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether lists and objects of a value of JSON are inside one another at more than this many levels. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) {
    return false
  }
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1))
}

/**
 * The JSON object in a file that a person wrote.
 *
 * @throws UserError that says what is wrong and where, with an `example` of what the file may hold
 */
export async function readJsonObject(path: string, example: string): Promise<JsonObject> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadableFile(path, error)
  })
  const wrong = findJsonError(text)
  if (wrong) {
    const { line, column, expected } = wrong
    throw new UserError(
      `${path} is not JSON: in line ${line}, column ${column}, it must have ${expected}. ` +
        `Correct the file; it may hold, for example, ${example}`,
    )
  }
  const value: unknown = JSON.parse(text)
  if (!isJsonObject(value)) {
    throw new UserError(`${path} must hold one JSON object: ${example}`)
  }
  return value
}
