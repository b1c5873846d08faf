/** The form of a word for a number, in languages with a singular and a plural. */
export function plural(count: number, one: string, other: string): string {
  return Math.abs(count) === 1 ? one : other
}
