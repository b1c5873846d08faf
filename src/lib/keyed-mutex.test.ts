import { expect, test } from 'vitest'
import { createKeyedMutex } from './keyed-mutex.ts'

test('work of one key runs one item at a time, in order, even after a failure', async () => {
  const mutex = createKeyedMutex()
  const steps: string[] = []
  const all = ['a', 'b', 'c'].map((name) =>
    mutex.run('one', async () => {
      steps.push(`${name} starts`)
      await Promise.resolve()
      steps.push(`${name} ends`)
      if (name === 'b') {
        throw new Error('b failed')
      }
      return name
    }),
  )
  const ended = await Promise.allSettled(all)
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(steps).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends'])
})

test('work of different keys does not wait for each other', async () => {
  const mutex = createKeyedMutex()
  let finish = () => {}
  const slow = mutex.run('one', () => new Promise<void>((done) => (finish = done)))
  expect(await mutex.run('another', async () => 'done')).toBe('done')
  finish()
  await slow
})

test('work of one key beyond the maximum is refused until the queue is shorter', async () => {
  const mutex = createKeyedMutex({ queuedMax: 3 })
  const all = [0, 1, 2].map((i) => mutex.run('one', async () => i))
  await expect(mutex.run('one', async () => 3)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  })
  expect(await Promise.all(all)).toEqual([0, 1, 2])
  expect(await mutex.run('one', async () => 'later')).toBe('later')
})
