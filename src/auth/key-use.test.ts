import { expect, test } from 'vitest'
import type { Store } from '../store/store.ts'
import { createKeyUse } from './key-use.ts'

test('uses that could not be written are written the next time, and then no more', async () => {
  const written: unknown[] = []
  let isAway = true
  const keys = {
    async recordUse(kind: string, uses: ReadonlyMap<string, number>) {
      if (isAway) {
        throw new Error('away')
      }
      written.push([kind, [...uses]])
    },
  } as Store['keys']
  let time = 1
  const { used, flush } = createKeyUse({ keys }, () => time)
  used('owner', 'a')
  used('owner', 'b')
  await expect(flush()).rejects.toThrow('away')
  time = 2
  used('owner', 'b')
  isAway = false
  await flush()
  await flush()
  expect(written).toEqual([
    [
      'owner',
      [
        ['a', 1],
        ['b', 2],
      ],
    ],
  ])
})

test('a kind that cannot be written delays no other, and is written the next time', async () => {
  const written: unknown[] = []
  let isAway = true
  const keys = {
    async recordUse(kind: string, uses: ReadonlyMap<string, number>) {
      if (isAway && kind === 'key') {
        throw new Error('away')
      }
      written.push([kind, ...uses.keys()])
    },
  } as Store['keys']
  const { used, flush } = createKeyUse({ keys }, () => 1)
  used('key', 'a')
  used('session', 'b')
  await expect(flush()).rejects.toThrow('away')
  expect(written).toEqual([['session', 'b']])
  isAway = false
  await flush()
  expect(written).toEqual([
    ['session', 'b'],
    ['key', 'a'],
  ])
})
