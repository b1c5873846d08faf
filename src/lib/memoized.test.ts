import { expect, test } from 'vitest'
import { memoized } from './memoized.ts'

test('a value is computed once for each text, also where it is undefined', () => {
  const computed: string[] = []
  const find = memoized((text) => {
    computed.push(text)
    return text === '' ? undefined : text.length
  })
  expect(['one', '', 'three', 'one', ''].map(find)).toEqual([3, undefined, 5, 3, undefined])
  expect(computed).toEqual(['one', '', 'three'])
})
