import { invalidCall } from './error.ts'

export type Query = Readonly<Record<string, string | number | undefined>>

/**
 * A base URL without what each path begins with: no slash and no `/v1` at its end.
 * @throws StandingError `INVALID_CALL` where it is not the URL of a service
 */
export function baseUrlOf(given: string): string {
  const shown = JSON.stringify(given)
  const form = 'like http://127.0.0.1:8080 or https://trust.example.com'
  const url = urlFrom(given)
  // `localhost:8080` parses, as an address of the scheme `localhost:`.
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw invalidCall(`baseUrl is ${shown}, which is not an http:// or https:// URL ${form}`)
  }
  if (url.username || url.password || url.search || url.hash) {
    throw invalidCall(`baseUrl has a user, a query or a fragment: it is an address alone, ${form}`)
  }
  return given.trim().replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, '')
}

function urlFrom(text: unknown): URL | undefined {
  try {
    return typeof text === 'string' ? new URL(text) : undefined
  } catch {
    return undefined
  }
}

export function urlOf(baseUrl: string, route: string, query: Query = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) {
      parameters.set(name, String(value))
    }
  }
  const text = String(parameters)
  return text === '' ? `${baseUrl}${route}` : `${baseUrl}${route}?${text}`
}

/**
 * A path with its parameters escaped. Empty and dotted ones are refused: a URL parser would read
 * them as another path (`/v1/agents/..` is `/v1/`).
 */
export function path(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return parts.reduce((text, part, index) => `${text}${segment(values[index - 1])}${part}`)
}

function segment(value: string | undefined): string {
  if (typeof value === 'string' && !/^\.{0,2}$/.test(value) && !LONE_SURROGATE.test(value)) {
    return encodeURIComponent(value)
  }
  throw invalidCall(`an id cannot be ${JSON.stringify(value)}`)
}

/** Half of a character, which no URL can hold. */
const LONE_SURROGATE = /\p{Surrogate}/u
