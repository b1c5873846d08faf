import { invalidCall } from './error.ts'

export type Query = Readonly<Record<string, string | number | undefined>>

export function urlOf(baseUrl: string, route: string, query: Query = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  const url = `${baseUrl.replace(/\/+$/, '')}${route}`
  return parameters.size === 0 ? url : `${url}?${parameters}`
}

/**
 * A path with its parameters escaped. Empty and dotted ones are refused: a URL parser would read
 * them as another path (`/v1/agents/..` is `/v1/`).
 */
export function path(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return parts.reduce((text, part, index) => `${text}${segment(values[index - 1])}${part}`)
}

function segment(value: string | undefined): string {
  if (typeof value === 'string' && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value)
  throw invalidCall(`an id can't be ${JSON.stringify(value)}`)
}
