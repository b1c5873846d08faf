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
