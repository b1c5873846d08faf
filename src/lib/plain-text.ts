/**
 * What a name and any other text of one line lacks: control characters and line ends, which would make one line of a list
 * look like several, and the characters that reorder text, which show it as another one.
 */
const NOT_PLAIN = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu

export function isPlain(text: string): boolean {
  return text.search(NOT_PLAIN) < 0
}

/** The text with each such character replaced. */
export function plainOf(text: string, replacement: (character: string) => string): string {
  return text.replace(NOT_PLAIN, replacement)
}

/**
 * What leaves no mark: spaces, the characters that Unicode says are not shown (those that join letters, fillers,
 * variants, soft hyphens), and the blank ones that it counts as symbols (Braille, a note of music).
 */
const UNSEEN = /^[\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb\u{1d159}]+$/u

/**
 * Whether a text is not empty but looks so. Beside others, such characters are part of the writing of a language or of
 * an emoji.
 */
export function hasNothingToSee(text: string): boolean {
  return UNSEEN.test(text)
}
