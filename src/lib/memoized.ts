/**
 * Computes a value for each text once. The values stay until the process ends, so it is for texts of which
 * there are few, such as the statements of the program.
 */
export function memoized<T>(compute: (text: string) => T): (text: string) => T {
  const values = new Map<string, T>()
  return (text) => {
    const known = values.get(text)
    if (known !== undefined || values.has(text)) {
      return known as T
    }
    const value = compute(text)
    values.set(text, value)
    return value
  }
}
