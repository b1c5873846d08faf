import { expect, test } from 'vitest'
import type { Agent, Score } from '../src/api/types.ts'
import { filterAgents } from '../src/pages/agents/order.ts'

const agent = (id: string, displayName: string, status: Agent['status'] = 'active'): Agent => ({
  id,
  displayName,
  status,
  parentId: null,
  createdAt: '2026-06-15T11:00:00.000Z',
})
const score = (agentId: string, value: number, more: Partial<Score> = {}) =>
  [
    agentId,
    { agentId, score: value, classification: 'good', confidence: 'high', ...more } as Score,
  ] as const

const AGENTS = [
  agent('a', 'Zephyr'),
  agent('b', 'Atlas Invoicing'),
  agent('c', 'Beacon', 'deactivated'),
  agent('d', 'Drift', 'suspended'),
]
const SCORES = new Map([
  score('a', 300, { classification: 'poor', confidence: 'low' }),
  score('b', 720),
])
const ALL = { text: '', tier: '', status: '', sort: '' }
const ids = (filter: Partial<typeof ALL>) =>
  filterAgents(AGENTS, SCORES, { ...ALL, ...filter }).map(({ id }) => id)

test('deactivated agents are hidden unless requested', () => {
  expect(ids({})).toEqual(['a', 'b', 'd'])
  expect(ids({ status: 'all' })).toEqual(['a', 'b', 'c', 'd'])
  expect(ids({ status: 'deactivated' })).toEqual(['c'])
})

test('a search matches agents with every word in the name or the id', () => {
  expect(ids({ text: 'invoicing ATLAS' })).toEqual(['b'])
  expect(ids({ text: 'atlas nothing' })).toEqual([])
})

test('the filter goes by the tier that is shown, and an agent with little data has none', () => {
  expect(ids({ tier: 'unknown' })).toEqual(['a'])
  expect(ids({ tier: 'poor' })).toEqual([])
  expect(ids({ tier: 'good' })).toEqual(['b'])
})

test('agents without a known score come last in every order', () => {
  expect(ids({ sort: 'best' })).toEqual(['b', 'a', 'd'])
  expect(ids({ sort: 'worst' })).toEqual(['a', 'b', 'd'])
  expect(ids({ sort: 'name' })).toEqual(['b', 'd', 'a'])
})
