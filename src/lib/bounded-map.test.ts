import { expect, test } from 'vitest'
import { createBoundedMap } from './bounded-map.ts'

test('a new entry replaces the oldest one', () => {
  const map = createBoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  map.set('c', 4)
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ])
  expect(map.get('b')).toBeUndefined()
})

test('reading an entry does not make it newer', () => {
  const map = createBoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  expect(map.get('a')).toBe(1)
  map.set('c', 3)
  expect(map.get('a')).toBeUndefined()
})

test('an entry can be deleted, and the map cleared', () => {
  const map = createBoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.delete('a')
  expect([...map]).toEqual([['b', 2]])
  map.clear()
  expect([...map]).toEqual([])
})

test('an entry whose key is undefined is dropped in order too', () => {
  const map = createBoundedMap<string | undefined, number>(1)
  map.set(undefined, 1)
  map.set('a', 2)
  expect([...map]).toEqual([['a', 2]])
})

test('an evicted entry is passed to the callback, and a deleted one is not', () => {
  const dropped: [string, number][] = []
  const map = createBoundedMap<string, number>(2, (key, value) => void dropped.push([key, value]))
  map.set('a', 1)
  map.delete('a')
  map.set('b', 2)
  map.set('b', 3)
  map.set('c', 4)
  expect(dropped).toEqual([])
  map.set('d', 5)
  expect(dropped).toEqual([['b', 3]])
})
