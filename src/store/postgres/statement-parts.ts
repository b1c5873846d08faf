import { memoized } from '../../lib/memoized.ts'

/** How a statement is made of several others. */

let count = 0

/** The number of a text, always the same: lists of numbers are compared faster than the texts. */
export const numberOf = memoized((_text) => count++)

/** The text with `$1` as `$1 + shift`: its values come after those of the parts before it. */
export function withShiftedValues(text: string, shift: number): string {
  return text.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + shift}`)
}
