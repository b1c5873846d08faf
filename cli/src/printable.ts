import type { ProgressStream, Terminal } from './command.ts'

/**
 * What a terminal acts upon instead of showing it: control characters except the line end and the tab, and the
 * characters that reorder a line. Colours stay: `paint` writes them.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not be written
const ACTED_UPON = /\u001b\[(?:3[123]|39)m|[^\P{Cc}\n\t]|[\u2028-\u202e\u2066-\u2069]/gu

/** Begins what replaces the line of a progress bar. */
const REDRAW = '\r\u001b[K'

/**
 * A terminal to which names and messages can be written as a service, or another account there, has chosen them:
 * a name must not move the cursor, set the clipboard or hide a line. JSON keeps its meaning.
 */
export function guarded<T extends Terminal>(terminal: T): T {
  const { say, stderr } = terminal
  return { ...terminal, say: (line: string) => say(printable(line)), stderr: guardedStream(stderr) }
}

function guardedStream(stream: ProgressStream): ProgressStream {
  return {
    isTTY: stream.isTTY,
    write: (text) =>
      stream.write(
        text.startsWith(REDRAW) ? REDRAW + printable(text.slice(REDRAW.length)) : printable(text),
      ),
  }
}

/** The text with each such character as JSON writes it: `\u001b`. */
function printable(text: string): string {
  return text.replace(ACTED_UPON, (found) => (found.length > 1 ? found : escaped(found)))
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
