import { expect, test } from 'vitest'
import { MODEL } from '../domain/model.ts'
import { registeredState } from '../ingest/fold.ts'
import type { AgentState, AgentStateStore } from '../store/agent-states.ts'
import type { Store } from '../store/store.ts'
import { createSweeper } from './revocation.ts'

const NOW = Date.parse('2026-06-15T11:00:00Z')

/** An agent whose score is below the one in its credential. */
function overpromised(id: string): AgentState {
  const times = { createdAt: NOW, updatedAt: NOW }
  const agent = { id, ownerId: 'owner', displayName: '', metadata: {}, status: 'active' } as const
  return { ...registeredState(MODEL, { ...agent, ...times }), credentialFloor: 900 }
}

test('an agent whose check fails does not delay the others, and is tried again', async () => {
  const all = ['a', 'b', 'c'].map(overpromised)
  const locked: string[] = []
  let broken = 'a'
  const agentStates = {
    async *agentIds() {
      yield all.map(({ agentId }) => agentId)
    },
    findMany: async (ids: readonly string[]) =>
      new Map(all.filter(({ agentId }) => ids.includes(agentId)).map((s) => [s.agentId, s])),
    async find({ agentId: id }: Pick<AgentState, 'agentId'>) {
      if (id === broken) {
        throw new Error(`${id} is broken`)
      }
      locked.push(id)
      return null
    },
  } satisfies Partial<AgentStateStore>
  const within = { agentStates } as unknown as Store
  const store = { agentStates, transaction: (work: (s: Store) => unknown) => work(within) }
  const failed: string[] = []
  const sweeper = createSweeper({
    store: store as unknown as Store,
    now: () => NOW,
    onFailed: (_error, agentId) => void failed.push(agentId),
  })
  await sweeper.today()
  expect([locked, failed]).toEqual([['b', 'c'], ['a']])
  await sweeper.today()
  expect([locked, failed]).toEqual([['b', 'c'], ['a']])
  broken = ''
  await sweeper.again()
  await sweeper.again()
  expect(locked).toEqual(['b', 'c', 'a'])
})
