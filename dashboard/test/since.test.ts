import { expect, test } from 'vitest'
import { scoresSince } from '../src/pages/agents/since.ts'

const snapshot = (day: number, score: number) => ({
  createdAt: new Date(Date.UTC(2026, 0, day)).toISOString(),
  score,
})
const from = Date.UTC(2026, 0, 10)

test('the change of a span begins with the score that the agent had at its start', () => {
  const snapshots = [snapshot(3, 700), snapshot(8, 720), snapshot(15, 640), snapshot(20, 650)]
  expect(scoresSince(snapshots, from)).toEqual([
    snapshot(10, 720),
    snapshot(15, 640),
    snapshot(20, 650),
  ])
})

test('an agent without a change in the span has one score, that of its start', () => {
  expect(scoresSince([snapshot(3, 700)], from)).toEqual([snapshot(10, 700)])
})

test('an agent that is younger than the span begins with its first score', () => {
  expect(scoresSince([snapshot(15, 160)], from)).toEqual([snapshot(15, 160)])
  expect(scoresSince([], from)).toEqual([])
})
