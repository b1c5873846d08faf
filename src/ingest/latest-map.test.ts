import { expect, test } from 'vitest'
import { LatestMap } from './latest-map.ts'

test('a map that keeps its latest entry gives what was set last for a key that comes again', () => {
  const map = new LatestMap<number>()
  map.set('a', 1).set('b', 2)
  expect([map.get('a'), map.get('a'), map.get('b')]).toEqual([1, 1, 2])
  map.set('b', 3)
  expect([map.get('b'), map.get('a')]).toEqual([3, 1])
})

test('a map that keeps its latest entry gives nothing for a key that was deleted or cleared, or that never was there', () => {
  const map = new LatestMap<number>([['a', 1]])
  expect([map.get('a'), map.get('c')]).toEqual([1, undefined])
  map.delete('a')
  expect([map.get('a'), map.size]).toEqual([undefined, 0])
  map.set('a', 2)
  expect(map.get('a')).toBe(2)
  map.clear()
  expect(map.get('a')).toBeUndefined()
})
