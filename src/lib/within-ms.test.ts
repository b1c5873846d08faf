import { expect, test } from 'vitest'
import { withinMs } from './within-ms.ts'

const LATE = new Error('too late')

test('work that ends in time gives its result or its own error', async () => {
  expect(await withinMs(Promise.resolve(1), 86_400_000, LATE)).toBe(1)
  await expect(withinMs(Promise.reject(new Error('own')), 86_400_000, LATE)).rejects.toThrow('own')
})

test('work that takes longer fails with the given error', async () => {
  await expect(withinMs(new Promise(() => {}), 1, LATE)).rejects.toBe(LATE)
})
