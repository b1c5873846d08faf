import { expect, test } from 'vitest'
import { throwFirst } from './failures.ts'

test('of several failures the first is thrown, and without one nothing is', () => {
  const [first, second] = [new Error('first'), new Error('second')]
  expect(() => throwFirst([first, second])).toThrow(first)
  throwFirst([])
})
