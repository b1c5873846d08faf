import { expect, test } from 'vitest'
import { createIds } from './ids.ts'

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('ids are UUIDs of version 7 that begin with their millisecond', () => {
  const newId = createIds(() => 0x0123456789ab)
  const id = newId()
  expect(id).toMatch(UUID_7)
  expect(id).toMatch(/^01234567-89ab-/)
})

test('ids increase within a millisecond, beyond its counter, and when the clock is set back', () => {
  let now = 1_700_000_000_000
  const newId = createIds(() => now)
  const ids = Array.from({ length: 20_000 }, (_, i) => {
    if (i % 7_000 === 6_999) {
      now -= 10_000
    }
    return newId()
  })
  expect(ids.filter((id) => !UUID_7.test(id))).toEqual([])
  expect(ids).toEqual([...new Set(ids)].sort())
})
