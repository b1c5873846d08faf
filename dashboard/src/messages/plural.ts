/** The form of a word for a number, in languages that know one and many. */
export function plural(count: number, one: string, other: string): string {
  return Math.abs(count) === 1 ? one : other
}
