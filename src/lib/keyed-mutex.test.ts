import { expect, test } from 'vitest'
import { createKeyedMutex } from './keyed-mutex.ts'

test('what is asked of one thing is done one by one, in order, whatever fails', async () => {
  const turns = createKeyedMutex()
  const said: string[] = []
  const asked = ['a', 'b', 'c'].map((name) =>
    turns.take('one', async () => {
      said.push(`${name} begins`)
      await Promise.resolve()
      said.push(`${name} ends`)
      if (name === 'b') {
        throw new Error('b failed')
      }
      return name
    }),
  )
  const ended = await Promise.allSettled(asked)
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(said).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

test('another thing waits for none of it', async () => {
  const turns = createKeyedMutex()
  let finish = () => {}
  const slow = turns.take('one', () => new Promise<void>((done) => (finish = done)))
  expect(await turns.take('another', async () => 'done')).toBe('done')
  finish()
  await slow
})

test('beyond what is done in some seconds the next is turned away', async () => {
  const turns = createKeyedMutex()
  const asked = Array.from({ length: 1_000 }, (_, i) => turns.take('one', async () => i))
  await expect(turns.take('one', async () => 0)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  })
  expect(await Promise.all(asked)).toHaveLength(1_000)
  expect(await turns.take('one', async () => 'again')).toBe('again')
})
