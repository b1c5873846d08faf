import { isJsonObject, type JsonObject } from '../../../src/lib/json-object.ts'

/** The JSON in a text; null where it is not JSON, such as the page of a proxy. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

interface ErrorInBody {
  readonly code?: string
  readonly message?: string
  readonly details?: JsonObject
}

/** What the error body of a service says; nothing where the body is not one. */
export function errorIn(body: unknown): ErrorInBody {
  const error = isJsonObject(body) ? body.error : undefined
  if (!isJsonObject(error)) {
    return {}
  }
  const { code, message, details } = error
  return {
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof message === 'string' ? { message } : {}),
    ...(isJsonObject(details) ? { details } : {}),
  }
}
