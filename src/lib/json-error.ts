/** The first place at which a text is not JSON. */
export interface JsonError {
  /** Both from 1. */
  readonly line: number
  readonly column: number
  /** What JSON has in this place, in words: `"," or "}"`. */
  readonly expected: string
}

/**
 * Where a text stops being JSON; null if it is JSON. The messages of `JSON.parse` differ between engines, often
 * have no position, and repeat the beginning of the text, which may be a secret.
 */
export function findJsonError(text: string): JsonError | null {
  const open: Bracket[] = []
  let place: Place = 'value'
  let i = endOf(SPACE, text, 0)
  while (place !== 'end' || i < text.length) {
    const end = endOf(TOKEN, text, i)
    const next: Place | null = end > i ? placeAfter(place, text.charAt(i), open) : null
    if (next === null) {
      const expected = i === 0 && text.startsWith(BOM) ? WITHOUT_BOM : EXPECTED[place](open.at(-1))
      return { ...positionOf(text, i), expected }
    }
    place = next
    i = endOf(SPACE, text, end)
  }
  return null
}

/** Editors and shells of Windows put it before a text. It has no width, so it cannot be seen. */
const BOM = '\ufeff'
const WITHOUT_BOM = 'a value, without a byte order mark (U+FEFF) before it'

type Bracket = '{' | '['

/** What may come next. */
type Place = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'after a value' | 'end'

const EXPECTED: Readonly<Record<Place, (within?: Bracket) => string>> = {
  value: () => 'a value (text is in double quotes)',
  'first value': () => 'a value or "]"',
  name: () => 'a name in double quotes',
  'first name': () => 'a name in double quotes, or "}"',
  colon: () => '":"',
  'after a value': (within) => (within === '{' ? '"," or "}"' : '"," or "]"'),
  end: () => 'nothing more',
}

const SPACE = /[ \t\n\r]*/y

/** A bracket, a comma, a colon, a string, a number or a word, as in RFC 8259. */
const TOKEN =
  /[{}[\],:]|"[ !#-[\]-\u{10ffff}]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\u{10ffff}]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy

/** The end of the match that begins at `start`; `start` if nothing matches there. */
function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : start
}

/** What may come after a token that begins with this character; null if the token may not be here. */
function placeAfter(place: Place, token: string, open: Bracket[]): Place | null {
  switch (place) {
    case 'value':
    case 'first value':
      if (token === '{' || token === '[') {
        open.push(token)
        return token === '{' ? 'first name' : 'first value'
      }
      if (token === ']' && place === 'first value') {
        return close(open)
      }
      return /[}\],:]/.test(token) ? null : afterValue(open)
    case 'name':
    case 'first name':
      if (token === '}' && place === 'first name') {
        return close(open)
      }
      return token === '"' ? 'colon' : null
    case 'colon':
      return token === ':' ? 'value' : null
    case 'after a value':
      if (token === ',') {
        return open.at(-1) === '{' ? 'name' : 'value'
      }
      return token === (open.at(-1) === '{' ? '}' : ']') ? close(open) : null
    case 'end':
      return null
  }
}

function close(open: Bracket[]): Place {
  open.pop()
  return afterValue(open)
}

function afterValue(open: readonly Bracket[]): Place {
  return open.length === 0 ? 'end' : 'after a value'
}

function positionOf(
  text: string,
  offset: number,
): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}
