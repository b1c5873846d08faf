/** The JSON in a text; null where it is not JSON, such as the page of a proxy. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
