import { readFile } from 'node:fs/promises'
import { UserError, unreadableFile } from './user-error.ts'

export type JsonObject = Readonly<Record<string, unknown>>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The JSON object in a file that a person wrote.
 *
 * @throws UserError that names the file and what is wrong with it, with an `example` of what it may hold
 */
export async function readJsonObject(path: string, example: string): Promise<JsonObject> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadableFile(path, error)
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UserError(`${path} is not JSON: ${(error as Error).message}`)
  }
  if (!isJsonObject(value)) {
    throw new UserError(`${path} must hold one JSON object: ${example}`)
  }
  return value
}
