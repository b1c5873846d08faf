import { assert, double, jsonValue, oneof, property } from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../../test/support/texts.ts'
import { canonicalJson } from './canonical-json.ts'

test('a text, a number and a name are written as ECMAScript writes them', () => {
  assert(
    property(oneof(anyText(), double()), (value) => {
      expect(canonicalJson(value)).toBe(JSON.stringify(value))
    }),
  )
  assert(
    property(anyText(), (name) => {
      expect(canonicalJson(Object.fromEntries([[name, 1]]))).toBe(`{${JSON.stringify(name)}:1}`)
    }),
  )
})

test('canonical JSON is the same value, with the fields sorted by UTF-16 units', () => {
  assert(
    property(jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
  expect(
    canonicalJson({ b: [{ d: null, c: true }], '10': 1, '2': 2, '€': 3, '😀': 4, a: -0 }),
  ).toBe('{"10":1,"2":2,"a":0,"b":[{"c":true,"d":null}],"€":3,"😀":4}')
})

test('a field that is undefined is left out, and is null within a list', () => {
  expect(canonicalJson({ a: undefined, b: [undefined, Number.NaN] })).toBe('{"b":[null,null]}')
})
