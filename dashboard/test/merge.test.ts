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

test('new rows are put above the rows read before', () => {
  expect(merge(page('fedc'), rows('edcba'))).toEqual(rows('fedcba'))
})

test('the list starts again when more rows arrived than fit one page', () => {
  expect(merge(page('zyx'), rows('cba'))).toEqual(rows('zyx', 'next'))
})

test('a row that disappeared from the first page disappears from the list', () => {
  expect(merge(page('eca'), rows('edcba'))).toEqual(rows('eca', 'next'))
})

test('a list that became empty is shown empty', () => {
  expect(merge(page('', null), rows('ab'))).toEqual(rows('', null))
})

test('the next page is appended at the end', () => {
  expect(append(rows('fed'), page('cba', null))).toEqual(rows('fedcba', null))
})
