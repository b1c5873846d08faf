import { expect, test } from 'vitest'
import { demoPast, STORIES } from '../src/pages/operator/demo/past.ts'

const NOW = Date.parse('2026-06-15T11:00:00.000Z')
const AGENTS = STORIES.map(({ name }) => name)

test('the demo’s history is in order, ends before now, and is the same each time', () => {
  const past = demoPast(AGENTS, ['market', 'exchange'], NOW)
  const lines = past.split('\n').map((line) => JSON.parse(line))
  const times = lines.map(({ at }) => Date.parse(at))
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(Math.max(...times)).toBeLessThan(NOW)
  expect(new Set(lines.map(({ agent }) => agent))).toEqual(new Set(AGENTS))
  expect(new Set(lines.map(({ by }) => by))).toEqual(new Set(['market', 'exchange']))
  expect(demoPast(AGENTS, ['market', 'exchange'], NOW)).toBe(past)
})
