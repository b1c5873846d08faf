import { expect, onTestFinished, test } from 'vitest'
import { MODEL } from '../domain/model.ts'
import { createSimulation } from '../ingest/testing/simulation.ts'
import type { AgentState } from '../store/store.ts'
import { createStateFile } from './state-file.ts'

const START = Date.UTC(2026, 0, 1)

/** States of agents with some events each, of several platforms. */
function someStates(agents: number, events: number): readonly AgentState[] {
  const simulation = createSimulation()
  const names = Array.from({ length: agents }, (_, i) => `agent-${i}`)
  for (const [i, agent] of names.entries()) {
    for (let k = 0; k < events; k++) {
      const data = { amount: 10 + i + k, counterparty: `buyer-${k}`, taskClass: 'ü' }
      const type = k % 2 === 0 ? 'payment.completed' : 'task.failed'
      simulation.report({ agent, by: `platform-${k % 5}`, type, data, at: START + k * 3_600_000 })
    }
  }
  return names.map((name) => simulation.agentState(name, START))
}

async function stateFile(atHandMax: number) {
  const file = await createStateFile(MODEL, atHandMax)
  onTestFinished(file.close)
  return file
}

test('the states of any number of agents are read back exactly, with few of them in memory', async () => {
  const file = await stateFile(10)
  const states = someStates(30, 3)
  for (const state of states) {
    file.set(state)
  }
  const read = states.map(({ agentId }) => file.get(agentId))
  expect(read).toEqual(states)
  expect(read.filter((state, i) => state === states[i])).toHaveLength(10)
  expect(file.get('agent-30')).toBeUndefined()
  expect(['agent-0', 'agent-29', 'agent-30'].map(file.has)).toEqual([true, true, false])
})

test('a state that outgrows its space moves, and overwrites no other state', async () => {
  const file = await stateFile(1)
  const small = someStates(6, 1)
  const large = someStates(3, 200)
  for (const state of [...small, ...large, ...small.slice(3)]) {
    file.set(state)
  }
  const all = [...large, ...small.slice(3)]
  expect(all.map(({ agentId }) => file.get(agentId))).toEqual(all)
})
