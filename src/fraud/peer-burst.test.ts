import { expect, test } from 'vitest'
import { DAY_MS } from '../domain/time.ts'
import { createSimulation, type SimulatedEvent } from '../ingest/testing/simulation.ts'
import { NOON, times } from '../ingest/testing/streams.ts'

const PLATFORM = 'late-platform'

/** One report by each of eight other platforms, so that the agent's profile has no place for a ninth. */
const byEightOthers = (agent: string) =>
  times(8, 1_000, (at, i) => ({ at, agent, by: `p${i}` }), NOON - DAY_MS)

/** Good events about one agent in a day, the last of them at the default threshold of the rule. */
const busyDay = (agent: string) =>
  times(65, 1_000, (at) => ({ at, agent, by: PLATFORM }), NOON + DAY_MS)

function findingsAfter(before: readonly SimulatedEvent[]): readonly string[] {
  const simulation = createSimulation()
  simulation.reportAll(before)
  const events = busyDay('busy').map((event) => simulation.report(event))
  return events.flatMap(({ findings }) => findings.map(({ rule }) => rule))
}

test('a day is far from its peers after a hundred days of agents with one event each', () => {
  const peers = times(100, 1_000, (at, i) => ({ at, agent: `agent-${i}`, by: PLATFORM }))
  expect(findingsAfter(peers)).toEqual(['burst_peers'])
})

test('many events about two agents that other platforms report on are not a hundred days of agents', () => {
  const before = ['one', 'two'].flatMap((agent) => [
    ...byEightOthers(agent),
    ...times(60, 1_000, (at) => ({ at, agent, by: PLATFORM })),
  ])
  expect(findingsAfter(before)).toEqual([])
})
