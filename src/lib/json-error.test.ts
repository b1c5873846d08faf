import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findJsonError } from './json-error.ts'

test.each([
  ['', 1, 1, 'a value (text is in double quotes)'],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3, '"," or "}"'],
  ['[1, 2', 1, 6, '"," or "]"'],
  ['[1, ]', 1, 5, 'a value (text is in double quotes)'],
  ['{ a: 1 }', 1, 3, 'a name in double quotes, or "}"'],
  ['{ "a": 1, }', 1, 11, 'a name in double quotes'],
  ['{ "a" 1 }', 1, 7, '":"'],
  ["{ 'a': 1 }", 1, 3, 'a name in double quotes, or "}"'],
  ['{ "a": yes }', 1, 8, 'a value (text is in double quotes)'],
  ['{ "a": "two\nlines" }', 1, 8, 'a value (text is in double quotes)'],
  ['{} {}', 1, 4, 'nothing more'],
  ['01', 1, 2, 'nothing more'],
])('of %j the error is in line %i, column %i, where %s belongs', (text, line, column, expected) => {
  expect(findJsonError(text)).toEqual({ line, column, expected })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('an error is found in those texts that JSON.parse refuses, and in no others', () => {
  const piece = fc.constantFrom(
    ...['{', '}', '[', ']', ',', ':', '"a"', '"\\u00e9\\n"', '"\\x"', '"', '\t', '\u0001', ' '],
    ...['0', '-1', '1.5e3', '1.', '.5', 'true', 'false', 'null', 'nul', '\ud83d\ude00', '\n'],
  )
  const pieces = fc.array(piece, { maxLength: 8 }).map((all) => all.join(''))
  const damaged = fc.tuple(fc.json(), fc.nat(), fc.nat(3)).map(([text, at, length]) => {
    const start = at % (text.length + 1)
    return text.slice(0, start) + text.slice(start + length)
  })
  fc.assert(
    fc.property(fc.oneof(pieces, damaged, fc.json()), (text) => {
      expect(findJsonError(text) === null).toBe(isJson(text))
    }),
    { numRuns: 3_000 },
  )
})
