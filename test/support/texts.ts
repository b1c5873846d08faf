import fc from 'fast-check'

/** The code points that are half of a pair: no text in UTF-8 has them. */
const HALVES = { first: 0xd800, count: 0x800 }

const anyCodePoint = fc
  .integer({ min: 0, max: 0x10ffff - HALVES.count })
  .map((n) => String.fromCodePoint(n < HALVES.first ? n : n + HALVES.count))

const ascii = fc.integer({ min: 0, max: 0x7f }).map((n) => String.fromCodePoint(n))

/**
 * Any text, of which half is ASCII: quotes and control characters are as likely as all else together.
 * The unit `binary` of fast-check makes a table of all code points, which takes a second of a core.
 */
export function anyText(constraints: { readonly maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ unit: fc.oneof(ascii, anyCodePoint), ...constraints })
}
