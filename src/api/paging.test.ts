import { expect, test } from 'vitest'
import { pageAfter } from './paging.ts'

const ROWS = ['first', 'second', 'third']

test('a page begins after the last row of the page before', () => {
  const page = (after: string | null) => pageAfter(ROWS, (row) => row, { after, limit: 2 })
  expect(page(null)).toEqual({ rows: ['first', 'second'], more: true })
  expect(page('second')).toEqual({ rows: ['third'], more: false })
})

test('a cursor of a row that the list does not have is refused', () => {
  expect(() => pageAfter(ROWS, (row) => row, { after: 'of another release', limit: 2 })).toThrow(
    'is not in this list',
  )
})
