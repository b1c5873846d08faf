import { expect, test } from 'vitest'
import { fieldsOf, message, ProtobufError } from './protobuf.ts'

test('an encoded message is decoded unchanged', () => {
  const inner = message([[1, 300]])
  const fields = [
    ...fieldsOf(
      message([
        [1, 0],
        [2, 'höflich'],
        [15, inner],
        [16, 2 ** 40],
      ]),
    ),
  ]
  expect(fields.map(({ number }) => number)).toEqual([1, 2, 15, 16])
  expect(fields[0]?.value).toBe(0n)
  expect(new TextDecoder().decode(fields[1]?.value as Uint8Array)).toBe('höflich')
  expect([...fieldsOf(fields[2]?.value as Uint8Array)]).toEqual([{ number: 1, value: 300n }])
  expect(fields[3]?.value).toBe(2n ** 40n)
})

test('only fields with the numbers asked for are read, as many as asked for', () => {
  const bytes = message([
    [1, 2 ** 40],
    [2, 'a'],
    [3, 'skipped'.repeat(100)],
    [2, 'b'],
    [2, 'c'],
  ])
  const texts = [...fieldsOf(bytes, { numbers: [2], max: 2, walkMax: 4 })].map(({ value }) =>
    new TextDecoder().decode(value as Uint8Array),
  )
  expect(texts).toEqual(['a', 'b'])
  const others = () => [...fieldsOf(bytes, { numbers: [9], max: 2, walkMax: 4 })]
  expect(others).toThrow(ProtobufError)
})

test.each([
  ['a length beyond the end', [0x0a, 0x05, 0x61]],
  ['a number that does not end', [0x08, 0x80]],
  ['a number of eleven bytes', [0x08, ...Array.from({ length: 11 }, () => 0xff)]],
  ['a wire type that does not exist', [0x0f, 0x00]],
  ['a fixed number cut short', [0x09, 1, 2, 3]],
])('%s is refused', (_, bytes) => {
  expect(() => [...fieldsOf(new Uint8Array(bytes))]).toThrow(ProtobufError)
})
