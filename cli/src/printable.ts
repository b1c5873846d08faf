import { plainOf } from '../../src/lib/plain-text.ts'
import type { ProgressStream, Terminal } from './command.ts'

/**
 * What a terminal acts upon instead of showing it: control characters, and the characters that reorder a line; without
 * the line end and the tab, by which a result is laid out.
 */
const ACTED_UPON_IN_LINES = /[^\P{Cc}\n\t]|[\u2028-\u202e\u2066-\u2069]/gu

/** The same without the colours that `paint` writes. */
const ACTED_UPON_IN_COLOUR =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one
  /\u001b\[(?:3[123]|39)m|[^\P{Cc}\n\t]|[\u2028-\u202e\u2066-\u2069]/gu

/** Begins what replaces the line of a progress bar. */
const REDRAW = '\r\u001b[K'

/**
 * A terminal to which names and messages can be written as a service, or another account there, has chosen them:
 * a name must not move the cursor, set the clipboard or hide a line. JSON keeps its meaning.
 */
export function guarded<T extends Terminal>(terminal: T): T {
  const { say, stderr, hasColour } = terminal
  const acted = hasColour ? ACTED_UPON_IN_COLOUR : ACTED_UPON_IN_LINES
  return {
    ...terminal,
    say: (line: string) => say(without(acted, line)),
    stderr: guardedStream(stderr),
  }
}

function guardedStream(stream: ProgressStream): ProgressStream {
  const printable = (text: string) => without(ACTED_UPON_IN_LINES, text)
  return {
    isTTY: stream.isTTY,
    write: (text) =>
      stream.write(
        text.startsWith(REDRAW) ? REDRAW + printable(text.slice(REDRAW.length)) : printable(text),
      ),
  }
}

/** A text that others chose, as part of a line: it can neither end the line nor colour it. */
export function inLine(text: string): string {
  return plainOf(text, escaped)
}

/** The text with each such character as JSON writes it: `\u001b`. */
function without(acted: RegExp, text: string): string {
  return text.replace(acted, (found) => (found.length > 1 ? found : escaped(found)))
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
