import { expect, test } from 'vitest'
import { append, merge } from '../src/api/merge.ts'

const page = (ids: string, nextCursor: string | null = 'next') => ({
  data: [...ids].map((id) => ({ id })),
  nextCursor,
})
const rows = (ids: string, nextCursor: string | null = 'older') => ({
  rows: [...ids].map((id) => ({ id })),
  nextCursor,
})

test('rows that came meanwhile are put on top of those read before', () => {
  expect(merge(page('fedc'), rows('edcba'))).toEqual(rows('fedcba'))
})

test('where so many came that there is a gap, the list starts again', () => {
  expect(merge(page('zyx'), rows('cba'))).toEqual(rows('zyx', 'next'))
})

test('a row that is gone from the first page is gone from the list', () => {
  expect(merge(page('eca'), rows('edcba'))).toEqual(rows('eca', 'next'))
})

test('an emptied list is empty', () => {
  expect(merge(page('', null), rows('ab'))).toEqual(rows('', null))
})

test('the next page goes to the end', () => {
  expect(append(rows('fed'), page('cba', null))).toEqual(rows('fedcba', null))
})
