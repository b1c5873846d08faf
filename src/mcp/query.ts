/** A query with its question mark; empty when nothing is given. */
export function searchOf(query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}
