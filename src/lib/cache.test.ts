import { expect, test } from 'vitest'
import { createCache } from './cache.ts'

/** A cache of values that are ten seconds fresh, over a source that counts its reads. */
function createSource(
  values: Readonly<Record<string, string>>,
  { sizeMax = 10, unknownMs = 0, readsTogether = false } = {},
) {
  const source = new Map(Object.entries(values))
  const reads: (readonly string[])[] = []
  let time = 0
  let answer = Promise.resolve()
  const cache = createCache<string>({
    async read(keys) {
      reads.push(keys)
      const found = keys.flatMap((key) => {
        const value = source.get(key)
        return value === undefined ? [] : [[key, value] as const]
      })
      await answer
      return new Map(found)
    },
    isFresh: (_value, ageMs) => ageMs < 10_000,
    now: () => time,
    sizeMax,
    unknownMs,
    readsTogether,
  })
  return {
    ...cache,
    source,
    reads,
    pass: (ms: number) => {
      time += ms
    },
    /** Delays the answers of the reads that follow until the returned function is called. */
    delay: () => {
      let end = () => {}
      answer = new Promise((resolve) => (end = resolve))
      return () => {
        answer = Promise.resolve()
        end()
      }
    },
  }
}

test('a value is read once while it is fresh', async () => {
  const { get, reads, pass } = createSource({ a: 'one' })
  expect(await get('a')).toBe('one')
  pass(9_999)
  expect(await get('a')).toBe('one')
  expect(reads).toHaveLength(1)
  pass(1)
  await get('a')
  expect(reads).toHaveLength(2)
})

test('keys that are asked for in one turn are read together, a hundred at most', async () => {
  const names = Array.from({ length: 130 }, (_, i) => `${i}`)
  const values = Object.fromEntries(names.map((name) => [name, `value ${name}`]))
  const { get, reads } = createSource(values, { sizeMax: 200, readsTogether: true })
  const asked = [...names, ...names.slice(0, 5), 'unknown']
  const found = await Promise.all(asked.map((name) => get(name)))
  expect(found).toEqual(asked.map((name) => values[name]))
  expect(reads.map((keys) => keys.length)).toEqual([100, 36])
})

test('a key that is invalidated before it is read has its new value', async () => {
  const { get, invalidate, source, delay } = createSource({ a: 'old' }, { readsTogether: true })
  const end = delay()
  const first = get('a')
  source.set('a', 'new')
  invalidate('a')
  end()
  expect(await first).toBe('new')
  expect(await get('a')).toBe('new')
})

test('a value is read again after the clock was set back', async () => {
  const { get, reads, pass } = createSource({ a: 'one' })
  await get('a')
  pass(-1)
  await get('a')
  expect(reads).toHaveLength(2)
})

test('requests for a value that is being read share the read', async () => {
  const { get, reads } = createSource({ a: 'one' })
  expect(await Promise.all([get('a'), get('a')])).toEqual(['one', 'one'])
  expect(reads).toHaveLength(1)
})

test('only the missing keys of a set are read, in one read', async () => {
  const { get, getMany, reads } = createSource({ a: 'one', b: 'two' })
  await get('a')
  expect([...(await getMany(['a', 'b', 'c']))]).toEqual([
    ['a', 'one'],
    ['b', 'two'],
  ])
  expect(reads).toEqual([['a'], ['b', 'c']])
})

test('an invalidated value is read again, even if it was invalidated during a read', async () => {
  const { get, invalidate, source, delay, reads } = createSource({ a: 'one' })
  await get('a')
  source.set('a', 'two')
  invalidate('a')
  const answer = delay()
  const stale = get('a')
  source.set('a', 'three')
  invalidate('a')
  answer()
  expect(await stale).toBe('two')
  expect(await get('a')).toBe('three')
  expect(reads).toHaveLength(3)
})

test('values can be invalidated by a predicate', async () => {
  const { get, invalidateWhere, reads } = createSource({ a: 'one', b: 'two' })
  await get('a')
  await get('b')
  invalidateWhere((value) => value === 'one')
  await get('b')
  expect(reads).toHaveLength(2)
  await get('a')
  expect(reads).toHaveLength(3)
})

test('an expired value is still available for comparison', async () => {
  const { get, peek, pass } = createSource({ a: 'one' })
  expect(peek('a')).toBeUndefined()
  await get('a')
  pass(60_000)
  expect(peek('a')).toBe('one')
})

test('the value that was read longest ago is dropped beyond the cache’s size', async () => {
  const { get, reads } = createSource({ a: 'one', b: 'two' }, { sizeMax: 1 })
  await get('a')
  await get('b')
  await get('b')
  expect(reads).toHaveLength(2)
  await get('a')
  expect(reads).toHaveLength(3)
})

test('a key without a value is read again after a while, and displaces no value', async () => {
  const { get, getMany, reads, pass, unknownSize } = createSource(
    { a: 'one' },
    { sizeMax: 1, unknownMs: 1_000 },
  )
  await get('a')
  expect(await get('b')).toBeUndefined()
  pass(999)
  expect(await get('b')).toBeUndefined()
  expect([...(await getMany(['a', 'b']))]).toEqual([['a', 'one']])
  expect(reads).toEqual([['a'], ['b']])
  expect(unknownSize()).toBe(1)
  pass(1)
  await get('b')
  expect(reads).toEqual([['a'], ['b'], ['b']])
})

test('a key that gets its value while it is being read is not cached as unknown', async () => {
  const { get, invalidate, source, delay, unknownSize } = createSource({}, { unknownMs: 1_000 })
  const answer = delay()
  const early = get('a')
  source.set('a', 'one')
  invalidate('a')
  answer()
  expect(await early).toBeUndefined()
  expect(unknownSize()).toBe(0)
  expect(await get('a')).toBe('one')
})

test('a null is a value like others', async () => {
  let reads = 0
  const { get } = createCache<null>({
    async read(keys) {
      reads += 1
      return new Map(keys.map((key) => [key, null]))
    },
    isFresh: () => true,
    now: () => 0,
    sizeMax: 1,
  })
  expect([await get('a'), await get('a')]).toEqual([null, null])
  expect(reads).toBe(1)
})
